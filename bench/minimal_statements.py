"""Statements with what may be changed in them written beside it, for `minimal_pairs`. Every line is invented.

`[rule:as it is|changed|changed otherwise]` is one place. A line that begins with `=` says the one above in other words
and contradicts nothing.
"""

from __future__ import annotations

from typing import Final

STATEMENTS: Final[dict[str, str]] = {
    "software teams": """\
The gateway [negation:retries|does not retry|no longer retries|never retries] failed calls [number:three \
times|five times] within [unit:90 seconds|90 minutes]
= Failed calls are retried 3 times by the gateway within 1.5 minutes
Release branches [negation:are cut|aren't cut|are never cut] on [date:Wednesday|Thursday] by the \
[name:platform|billing] team
= The platform team cuts release branches on Wednesdays
The web client [negation:is|is not|isn’t] built with [name:Rollup|Parcel] [version:4.18|4.19]
= We build the web client with Rollup v4.18
Feature flags older than [number:60|90] [unit:days|hours] [negation:are|are not|aren't] deleted \
[antonym:automatically|manually]
= Flags older than 60 days get deleted automatically
[negation:Run|Do not run|Never run|Don’t run] the smoke tests [order:before the load tests|after the load tests]
= Before the load tests, run the smoke tests
The search index is rebuilt every [date:Monday|Friday] at [date:04:30|05:30]
= Every Monday at 4:30 am the search index is rebuilt
Pull requests [negation:need|do not need|don't need] [number:two|three] approvals from [name:senior|junior] engineers
The mobile app [negation:supports|does not support|no longer supports] Android [version:12|13] and newer
Traces are [negation:sampled|not sampled|no longer sampled] at [number:5|15] percent in [antonym:production|staging]
The scheduler [negation:locks|does not lock|never locks] a job for [unit:10 minutes|10 hours] [order:after a \
crash|before a crash]
New endpoints [negation:require|do not require|don’t require] an [antonym:internal|external] review
= An internal review is required for new endpoints
Log lines [negation:must|must not|should never] contain the [name:tenant|session] id
The monorepo [negation:uses|does not use|stopped using|no longer uses] [name:Bazel|Gradle] for builds
= Builds in the monorepo use Bazel
Database migrations [negation:are|are not|are never] reviewed by [name:Priya|Tomas]
= Priya reviews database migrations
The staging cluster has [number:12|18] nodes with [unit:64 GB|64 MB] of memory
= Staging has a cluster of twelve nodes with 64 GB memory
Docker images [negation:are|are not|aren’t] [antonym:signed|unsigned] and pushed to [name:Harbor|Quay]
The importer [negation:can|cannot|can’t] read [name:Parquet|Avro] files
Incoming webhooks are [antonym:accepted|rejected] when the signature is [antonym:valid|invalid]
The SDK [antonym:caches|invalidates] responses for [unit:5 minutes|5 seconds]
Error budgets are renewed at the [antonym:beginning|end] of each [date:quarter|month]
Vendor the schema [order:from the registry into the service|from the service into the registry]
= The schema is vendored into the service from the registry
The worker [order:pulls jobs before it reports health|reports health before it pulls jobs]
[order:The billing service calls the tax service|The tax service calls the billing service]
= The tax service is called by the billing service
The exporter [negation:writes|fails to write|does not write] a checksum [order:before|after] the upload
Unit tests finish [antonym:faster|slower] with [number:8|4] workers
Session cookies are [antonym:encrypted|unencrypted] and expire after [unit:14 days|14 hours]
= Session cookies expire after two weeks and are encrypted
The admin console is [antonym:reachable|unreachable] [antonym:inside|outside] the office network
Node [version:20.11|22.11] is [antonym:required|optional] to build the docs
The CLI [negation:prints|doesn't print|no longer prints] progress to [name:stderr|stdout]
Deploys are [antonym:blocked|allowed] during the freeze from [date:20 December|10 December]
""",
    "operations": """\
Backups [negation:are|are not|aren't] copied to [name:Helsinki|Lisbon] every [unit:6 hours|6 days]
= Every six hours backups get copied to Helsinki
The on-call phone [negation:rings|does not ring|never rings] for warnings [antonym:during the day|during the night]
Disk alerts fire [antonym:above|below] [number:85|95] percent
= Alerts for disks fire above 85%
The data centre in [name:Turin|Graz] [negation:has|does not have|no longer has] a diesel generator
Certificates are [negation:renewed|not renewed] [number:21|30] days before they expire
= Certificates get renewed three weeks before they expire
Maintenance windows [antonym:start|end] at [date:22:00|23:00] UTC
= Maintenance windows start at 10 pm UTC
The VPN [negation:is|isn't|is no longer] needed for the [name:wiki|ticket] server
Firewall rules are [antonym:denied|allowed] by default
[negation:Restart|Don't restart|Never restart] the message broker while an import is running
The load balancer [antonym:adds|removes] a node when the CPU is [antonym:above|below] [number:70|40] percent
Spare disks are kept [antonym:upstairs|downstairs] in room [number:214|241]
Root logins over SSH [negation:are|are not] allowed from the [name:bastion|office] host
= From the bastion host root may log in over SSH
The pager rotation [negation:changes|does not change] on [date:Tuesday|Sunday] at [date:noon|midnight]
Alert e-mails go to [name:ops@harbor.example|dev@harbor.example]
Cold archives are kept for [unit:7 years|7 months] in [name:Glacier|Tapestry]
The mirror is synchronised [order:from the primary to the replica|from the replica to the primary]
Drain the queue [order:before stopping the consumers|after stopping the consumers]
= The queue is drained before the consumers are stopped
The status page [negation:shows|doesn’t show|no longer shows] degraded regions
Temperature in the server room stays [antonym:below|above] [number:24|27] °C
Kernel [version:6.1|6.6] is installed on all edge hosts
= All edge hosts have kernel 6.1 installed
The backup host has been [antonym:online|offline] since [date:3 March|9 March]
The night shift [negation:needs|does not need] an approval to restart the database
Monitoring agents listen on port [number:9100|9200]
Rolling restarts take [unit:40 minutes|40 seconds]
= A rolling restart takes forty minutes
Outgoing mail is relayed through [name:Postmark|Mailgun]
""",
    "personal preferences": """\
Nadia [negation:drinks|does not drink|doesn’t drink|never drinks] coffee [order:before|after] meetings
The user [negation:likes|does not like|doesn't like] [antonym:dark|light] mode in the editor
She [negation:prefers|does not prefer] answers in [name:Portuguese|Danish]
= Answers in Portuguese are preferred
Oskar [antonym:loves|hates] long meetings
The user wants code examples in [name:Kotlin|Swift]
= Code examples should be in Kotlin
He goes running [number:four|two] times a week [antonym:in the morning|in the evening]
Mei [negation:is|is not|isn't|is no longer] a vegetarian
[negation:Send|Do not send|Don't send] me reminders on [date:Saturday|Monday]
= Please send me reminders on Saturdays
The user's birthday is on [date:14 August|14 July]
= The birthday of the user is August 14th
Replies should be [antonym:short|long] and [antonym:formal|informal]
Jonas [negation:can|cannot|can't] eat peanuts
Her desk stands [antonym:left|right] of the window
The user [negation:reads|never reads|no longer reads] newsletters at the weekend
Amara is allergic to [name:penicillin|ibuprofen]
He [negation:works|does not work|doesn't work] from home on [date:Fridays|Mondays]
= On Fridays he works from home
The user lives [number:3|7] [unit:km|miles] from the office
Call me [order:before|after] [date:9 am|11 am]
Please use [antonym:tabs|spaces] in my Makefiles
I [negation:want|don't want|no longer want] weekly summaries by e-mail
= Weekly summaries by mail are what I want
Petra [antonym:agrees|disagrees] with the new seating plan
My phone number ends with [number:4417|4471]
The user plays the [name:cello|oboe] in an orchestra
""",
    "people and places": """\
[name:Ingrid|Marta] leads the finance department in [name:Bergen|Malmö]
The library on Mill Street [negation:opens|does not open|never opens] on [date:Sunday|Thursday]
= On Sundays the library on Mill Street opens
The museum is [antonym:open|closed] in [date:January|June]
The bridge is [number:340|430] [unit:metres|miles] long
[order:The river flows from the lake to the sea|The river flows from the sea to the lake]
Dr. Okafor [negation:has|does not have|no longer has] an office in [name:Leeds|York]
The train to [name:Porto|Faro] leaves at [date:7:45|8:45] from platform [number:3|5]
The old harbour lies [antonym:north|south] of the cathedral
[order:Helga reports to Bruno|Bruno reports to Helga]
The festival takes place in [date:September|October] every [number:two|three] years
The mayor was elected in [date:2019|2021]
= It was in 2019 that the mayor was elected
Visitors [negation:may|may not|must not] take photographs in the chapel
= Taking photographs in the chapel is allowed
The hotel has [number:85|58] rooms and a [antonym:large|small] garden
The island [negation:is|isn't|is not] connected to the mainland by a [name:ferry|tunnel]
Kwame was born in [name:Accra|Lagos] on [date:2 May 1984|2 May 1994]
The office in Utrecht is [antonym:bigger|smaller] than the office in Ghent
The school bus stops [antonym:in front of|behind] the town hall
[order:Lucia manages Stefan|Stefan manages Lucia]
The valley gets [antonym:more|less] rain than the coast
The lighthouse was built [order:before the harbour wall|after the harbour wall]
""",
    "finance": """\
Invoices are [negation:paid|not paid|never paid] within [unit:30 days|30 months]
= Payment of invoices takes place within thirty days
Travel costs above [number:500|900] [unit:euro|dollars] [negation:need|do not need|don't need] approval by the \
[name:controller|treasurer]
The interest rate [antonym:rises|falls] to [number:4.5|3.5] percent in [date:April|May]
The fund [negation:invests|does not invest|no longer invests] in [name:coal|wheat]
Quarterly results are published on [date:12 February|19 February]
= On February 12 the quarterly results are published
The supplier [antonym:accepts|refuses] payments in [name:CHF|SEK]
Tax returns [negation:are|are not|are no longer] filed by [name:Deloitte|Mazars]
The loan is repaid over [unit:20 years|20 months] at a [antonym:fixed|variable] rate
Revenue [antonym:increased|decreased] by [number:8|18] percent in [date:2023|2021]
Small customers get a [antonym:higher|lower] discount than large customers
Refunds are booked [order:before the invoice is closed|after the invoice is closed]
The budget for training is [number:1,200|2,100] euro per person
= Per person, the training budget is 1200 euro
[order:The parent company lends money to the subsidiary|The subsidiary lends money to the parent company]
Bank transfers [negation:arrive|do not arrive|never arrive] on the same day
The auditor [antonym:approved|rejected] the balance sheet
Petty cash [negation:is|isn't] counted every [date:Friday|Tuesday]
VAT is [antonym:included in|excluded from] the price
The credit card has a limit of [number:2500|5200] euro
""",
    "medicine": """\
The patient [negation:takes|does not take|no longer takes|stopped taking] [number:20|40] [unit:mg|g] of the drug a day
Blood samples are stored [antonym:below|above] [number:4|8] °C
= Store blood samples below 4 degrees Celsius
The vaccine [negation:is|is not|isn't] given to children under [number:5|12] years
Visiting hours [antonym:begin|end] at [date:3 pm|5 pm]
The ward [negation:admits|does not admit|never admits] patients at night
Wash your hands [order:before you touch the dressing|after you touch the dressing]
The test was [antonym:positive|negative] for [name:influenza|measles]
The swelling has [antonym:increased|decreased] since [date:Tuesday|Sunday]
The wound is [antonym:clean|dirty] and [antonym:dry|wet]
Insulin [negation:must|must not] be kept in the fridge
The dose is [antonym:doubled|halved] after [number:three|six] weeks
The surgeon operates on the [antonym:left|right] knee
The infusion runs for [unit:90 minutes|90 seconds]
= The infusion takes one and a half hours
[order:The nurse informs the doctor|The doctor informs the nurse]
The clinic [negation:treats|doesn't treat|no longer treats] outpatients on [date:Wednesday|Saturday]
The patient was [antonym:awake|asleep] during the procedure
Her blood pressure is [antonym:high|low] in the morning
The tablets are taken [antonym:with|without] food
= Take the tablets with food
""",
    "cooking": """\
[negation:Add|Do not add|Never add] salt to the dough
= Salt is added to the dough
Bake the bread for [unit:45 minutes|45 seconds] at [number:220|180] °C
= The bread is baked at 220 °C for three quarters of an hour
The soup [negation:contains|does not contain|contains no] [name:cream|butter]
Whisk the eggs [order:before you add the flour|after you add the flour]
The sauce is served [antonym:hot|cold] with [name:rice|pasta]
Use [number:250|350] [unit:g|kg] of flour
= You need 250 grams of flour
The restaurant is [antonym:cheap|expensive] and [antonym:full|empty] on [date:Fridays|Tuesdays]
The oven door [negation:is|is not|isn't] opened while the cake rises
Peel the [name:carrots|onions] and cut them into [antonym:thick|thin] slices
The marinade rests [unit:2 hours|2 days] in the fridge
= Let the marinade rest for 120 minutes in the fridge
Pour the milk [order:from the jug into the bowl|from the bowl into the jug]
The kitchen [antonym:opens|closes] at [date:11:30|12:30]
The recipe serves [number:four|six] people
= This recipe is for 4 people
Guests [negation:can|cannot|can't] bring their own wine
The knife is [antonym:sharp|blunt]
Stir the risotto [antonym:slowly|quickly]
The cafe [negation:sells|doesn't sell|no longer sells] croissants [order:before|after] noon
""",
    "versions and units": """\
The forecast service runs on Java [version:17.0.2|17.0.9|21.0.2]
Pin numpy to [version:1.26|1.24] in the notebook image
= In the notebook image numpy is pinned to v1.26
The firmware [version:v2.4.1|v2.4.7|v3.4.1] is installed on all scanners
= All scanners have firmware 2.4.1
TLS [version:1.3|1.2] is required for partners
Chart [version:0.9.4|0.9.6] deploys the ingest pods
Postgres was upgraded to [version:15.6|15.8] in [date:November|May]
The app needs iOS [version:17|16] or newer
Release [version:8.2|8.3] fixes the rounding error
= The rounding error is fixed in release 8.2
Customers stay on API [version:v3|v2] until the migration ends
Ansible [version:2.16|2.14] is used for the switches
The plugin is compatible with Gradle [version:8.5|7.5]
Our Helm charts follow schema [version:v2|v1]
The mail relay was built from tag [version:4.96.1|4.98.1]
Use Terraform [version:1.7.5|1.6.5] for the network stack
= The network stack uses Terraform 1.7.5
Redis [version:7.2|6.2] keeps the sessions
The kiosk browser is locked to Chromium [version:122|118]
The image is based on Alpine [version:3.19|3.17]
Clients must speak protocol version [version:5|4]
Kubernetes was moved from [version:1.27|1.26] to 1.29 in spring
Spark [version:3.5.0|3.4.0] runs the nightly aggregation
The parser accepts files up to [unit:40 MB|40 kB]
= Files of up to 40 megabytes are accepted by the parser
Messages are retained for [unit:36 hours|36 days]
= Retention of messages is one and a half days
The lock is released after [unit:30 seconds|30 minutes]
Each node has [unit:16 GB|16 TB] of memory
The parcel weighs [unit:12 kg|12 g]
Latency stays under [unit:200 ms|200 s]
= The latency is kept below 0.2 seconds
The cable is [unit:3 metres|3 km] long
The penalty is [unit:75 euro|75 percent] of the fee
The upload rate is limited to [unit:10 Mbps|10 Gbps]
The invoice is due in [unit:6 weeks|6 days]
= In 42 days the invoice is due
The archive grows by [unit:2 TB|2 GB] a year
Pause for [unit:15 minutes|15 seconds] between the two runs
The sensor reports every [unit:20 seconds|20 hours]
= Every 20 s the sensor sends a report
The trial lasts [unit:2 months|2 weeks]
The dial shows [unit:60 km|60 miles]
The licence costs [unit:80 dollars|80 pounds] a seat
""",
}
