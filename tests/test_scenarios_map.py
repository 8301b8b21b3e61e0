"""Which test proves which scenario. Every row of the scenarios stands here; a test that is renamed or removed fails this one.

| row | what must hold |
|---|---|
| S1 | a decision sent twice within 50 ms is one, and the second answer says so |
| S2, S3 | a conflict names who, when and what, keeps the words, and is seen by the person |
| S4 | no decision without the version that was seen |
| S5 | an edit meanwhile makes the old approval impossible and shows the difference |
| S6 | a hundred press next: no item goes to two, none is lost |
| S7 | a lapsed lease, a take-over, a late heartbeat: words kept, nothing stolen back |
| S8 | a second save of one's own decision amends it |
| S9 | a bulk names what changed since its preview, and its numbers are those of the rows |
| S10 | only the previewed snapshot is touched; an empty selection is a refusal |
| S11 | pages skip and repeat nothing while items are decided |
| S12 | hidden characters are named, isolated and reorder nothing |
| S13 | U+0000 is refused with a message everywhere and stops no worker |
| S14 | differences are drawn by whole graphemes |
| S15 | what a text would do, it does nowhere |
| S16 | looking changes nothing, whoever or whatever looks |
| S17 | exports neutralise formulas |
| S18 | an expired session leads to a full sign-in and back, words kept |
| S19 | Back, refresh and the history show what is; the browser keeps no text |
| S20 | no decision by a key that was not meant as one |
| S21 | four eyes alike at every door; alone, it is marked solo |
| S22 | the audit outlives what it names; without it nothing is decided |
| S23 | a correction in the admin site raises the version and needs a reason |
| S24 | delivered twice, done once |
| S25 | a killed worker's bulk goes on; progress equals rows |
| S26 | equal ones close credited, one click away |
| S27 | a question with a side gone stays readable and can only end one way |
| S28 | notifications: none, one, or one digest |
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

PROOFS: dict[str, dict[str, tuple[str, ...]]] = {
    "S1": {
        "e2e/test_scenarios_conflicts": (
            "test_two_of_them_within_50_ms_are_one_decision", "test_a_key_that_is_held_down_decides_once",
            "test_the_same_request_twice_on_the_wire_is_one_decision_and_a_replay",
        ),
        "e2e/test_reviewing": (
            "test_a_double_click_is_one_decision_on_one_item",
            "test_a_tap_or_click_that_was_meant_for_the_card_before_decides_nothing",
        ),
        "web/test_scenarios": ("test_the_second_answer_is_the_same_and_says_that_it_is_the_second",),
        "services/test_races": ("test_a_double_click_is_one_decision_and_the_others_are_replays",),
        "services/test_bulk_races": ("test_the_button_pressed_in_eight_tabs_starts_one_job",),
        "web/test_clusters": ("test_pressing_twice_is_said_and_decides_once",),
    },
    "S2": {
        "e2e/test_reviewing": ("test_a_conflict_is_seen_in_the_second_tab_with_the_words_kept",),
        "web/test_deciding": (
            "test_an_item_decided_meanwhile_says_who_and_what_and_keeps_what_was_typed",
            "test_a_conflict_without_scripts_is_a_page_with_the_same_words",
        ),
        "services/test_races": ("test_eight_people_decide_one_item_and_one_of_them_does",),
    },
    "S3": {
        "e2e/test_scenarios_conflicts": ("test_a_conflict_stands_where_the_person_looks_even_far_down_the_page",),
        "e2e/test_prefetch": ("test_a_conflict_shows_the_card_as_it_is_now",),
    },
    "S4": {
        "e2e/test_scenarios_conflicts": ("test_without_the_version_nothing_is_decided_and_the_person_sees_why",),
        "web/test_deciding": ("test_no_decision_without_the_version_that_was_seen",),
        "web/test_inquiries": ("test_a_question_needs_its_version",),
        "services/test_deciding": ("test_no_version_is_422_and_an_old_one_409_with_who_and_when",),
    },
    "S5": {
        "e2e/test_scenarios_conflicts": (
            "test_an_edit_that_arrives_while_the_reason_is_typed_makes_the_old_approval_impossible",
            "test_a_newer_proposal_of_its_filer_is_shown_as_a_difference_with_a_way_to_it",
        ),
        "e2e/test_reviewing": ("test_a_changed_item_shows_the_difference_and_can_be_decided_anew",),
        "services/test_editing": ("test_the_approval_that_was_open_on_the_old_version_is_impossible",),
    },
    "S6": {
        "services/test_scenarios_next": ("test_a_hundred_press_next_and_no_item_goes_to_two_of_them_and_none_is_lost",),
        "web/test_leases": ("test_where_somebody_was_quicker_the_next_item_takes_the_place",),
        "selectors/test_picking": ("test_every_item_comes_up_in_the_draws",),
    },
    "S7": {
        "e2e/test_scenarios_conflicts": ("test_a_lapsed_lease_is_taken_and_nothing_of_the_first_persons_words_is_lost",),
        "e2e/test_reviewing": ("test_the_lease_is_shown_and_another_person_can_take_over",),
        "web/test_scenarios": ("test_a_heartbeat_from_before_two_take_overs_prolongs_nothing",),
        "web/test_leases": ("test_a_late_heartbeat_steals_nothing_back_and_shows_who_has_it",),
    },
    "S8": {
        "e2e/test_scenarios_conflicts": (
            "test_a_second_save_of_ones_own_decision_mends_it", "test_deciding_differently_by_keyboard",
        ),
        "web/test_amending": ("test_a_typo_mended_by_saving_again_is_an_amendment",),
        "services/test_races": ("test_an_amendment_sent_many_times_at_once_is_one",),
    },
    "S9": {
        "services/test_bulk": ("test_forty_nine_are_approved_and_the_one_that_changed_is_named",),
        "e2e/test_bulk": ("test_what_changed_since_the_preview_is_reported_with_a_way_back_to_it",),
        "services/test_bulk_races": ("test_a_bulk_never_decides_what_somebody_edited_meanwhile",),
    },
    "S10": {
        "services/test_bulk": (
            "test_only_the_previewed_snapshot_is_touched_while_new_items_stream_in", "test_an_empty_selection_is_a_refusal",
        ),
        "web/test_bulk": ("test_all_matching_keeps_the_search_and_is_frozen", "test_an_empty_selection_is_a_refusal"),
    },
    "S11": {
        "web/test_queue": (
            "test_pages_lose_and_repeat_nothing_while_items_are_decided",
            "test_the_row_that_is_opened_is_the_row_that_was_listed",
        ),
        "web/test_search": ("test_the_row_that_is_opened_is_the_one_that_was_listed_on_every_page",),
        "selectors/test_queue_pages": ("test_deciding_between_pages_loses_and_repeats_nothing_either_way",),
    },
    "S12": {
        "web/test_scenarios_text": ("test_hidden_characters_are_named_on_every_page",),
        "e2e/test_scenarios_text": (
            "test_a_text_reorders_nothing_beside_it_in_queue_card_toast_and_bar",
            "test_the_name_of_an_agent_turns_no_title_and_no_control",
            "test_a_change_is_drawn_by_whole_graphemes_and_shows_what_nobody_sees",
        ),
        "web/test_text": (
            "test_hidden_characters_are_named_and_never_sent", "test_a_change_that_nobody_could_see_is_shown",
        ),
    },
    "S13": {
        "web/test_scenarios": (
            "test_a_nul_in_any_field_of_any_form_is_refused_with_its_code",
            "test_a_nul_in_any_parameter_of_any_page_is_refused_with_its_code",
            "test_a_worker_survives_a_nul_in_what_went_wrong",
        ),
        "e2e/test_scenarios_conflicts": ("test_a_nul_is_refused_in_words_and_what_was_typed_stays",),
        "web/test_middleware": ("test_the_api_answers_with_a_problem",),
        "api/test_bad_input": ("test_bodies",),
    },
    "S14": {
        "e2e/test_scenarios_text": ("test_a_change_is_drawn_by_whole_graphemes_and_shows_what_nobody_sees",),
        "web/test_diffing": ("test_tokens_are_made_of_whole_graphemes",),
        "web/test_text": ("test_joined_emoji_stay_joined",),
    },
    "S15": {
        "web/test_scenarios_text": ("test_no_text_becomes_part_of_any_page",),
        "e2e/test_scenarios_text": (
            "test_no_page_runs_or_loads_anything_of_a_text", "test_toast_conflict_and_dialogs_run_nothing_either",
        ),
        "e2e/test_browser": ("test_a_script_inside_the_page_is_not_run",),
        "web/test_markdown": ("test_hostile_markdown_is_inert", "test_what_others_hide_is_shown"),
        "e2e/test_articles": ("test_hostile_markdown_runs_and_loads_nothing_and_fits",),
    },
    "S16": {
        "web/test_scenarios": ("test_looking_at_every_address_in_every_role_changes_no_row_of_any_table",),
        "web/test_inquiries": ("test_opening_a_question_answers_nothing",),
        "web/test_mail_question": (
            "test_a_scanner_that_opens_every_link_decides_nothing",
            "test_a_form_that_is_sent_without_its_token_or_confirmation_decides_nothing",
            "test_the_link_dies_with_what_it_stands_on",
        ),
        "web/test_pages": ("test_no_action_answers_to_a_link",),
    },
    "S17": {
        "services/test_exporting": (
            "test_a_table_comes_back_as_it_went", "test_a_workbook_holds_texts_and_no_formula",
            "test_lines_hold_texts_as_they_are",
        ),
        "exchange/test_csv_rows": ("test_formulas_quotes_and_lines_are_just_text",),
    },
    "S18": {
        "web/test_scenarios": (
            "test_every_control_of_every_page_leads_to_a_full_sign_in_and_back",
            "test_the_way_back_never_leads_to_an_address_that_only_takes_forms",
            "test_every_htmx_look_leads_to_a_full_sign_in",
        ),
        "e2e/test_scenarios_session": (
            "test_every_control_of_the_card_leads_to_a_full_sign_in",
            "test_what_was_typed_into_any_form_is_there_again_after_the_sign_in",
            "test_the_heartbeat_and_a_take_over_lead_there_too_and_the_words_are_back_afterwards",
            "test_suggestions_of_the_search_show_no_sign_in_and_the_search_leads_to_one",
            "test_bulk_work_leads_to_a_full_sign_in",
            "test_a_sign_in_in_another_tab_turns_the_token_and_the_old_card_says_what_to_do",
        ),
        "e2e/test_reviewing": ("test_an_expired_session_leads_to_login_and_back_with_the_words_kept",),
    },
    "S19": {
        "e2e/test_scenarios_session": (
            "test_back_forward_and_refresh_show_each_item_as_it_is_now",
            "test_a_page_out_of_the_browsers_memory_is_asked_for_anew",
            "test_a_browser_keeps_ids_and_its_theme_and_no_text_of_anybody",
            "test_a_text_that_was_sent_is_not_offered_again",
        ),
        "web/test_scenarios": ("test_what_the_history_asks_for_is_a_whole_page",),
        "e2e/test_reviewing": ("test_back_shows_the_decided_item_without_buttons",),
    },
    "S20": {
        "e2e/test_scenarios_keys": (
            "test_a_letter_with_another_key_decides_nothing",
            "test_composing_in_a_field_decides_nothing_and_enters_the_text",
            "test_letters_in_every_kind_of_field_are_letters", "test_keys_belong_to_the_panel_that_is_open",
            "test_keys_while_a_skip_or_an_undo_is_on_its_way_act_on_nothing", "test_the_keys_of_bulk_work_are_as_careful",
            "test_switched_off_they_do_nothing_anywhere_and_come_back",
        ),
        "e2e/test_reviewing": (
            "test_no_decision_by_a_key_that_was_not_meant_as_one", "test_the_letter_counts_not_its_place_on_the_keyboard",
            "test_keys_do_nothing_while_a_decision_is_on_its_way", "test_typing_in_a_field_decides_nothing",
        ),
        "e2e/test_bulk": ("test_a_key_that_was_not_meant_selects_nothing",),
    },
    "S21": {
        "web/test_scenarios": (
            "test_who_may_not_approve_is_told_so_at_every_door",
            "test_where_nobody_else_exists_it_goes_through_and_is_marked_solo",
        ),
        "web/test_scenarios_access": ("test_sending",),
        "services/test_deciding": ("test_two_accounts_of_one_person_are_not_four_eyes",),
    },
    "S22": {
        "services/test_audit": (
            "test_the_audit_outlives_the_people_and_models_it_names",
            "test_a_failing_audit_write_takes_the_decision_with_it",
        ),
        "web/test_scenarios": ("test_the_audit_stays_readable_when_the_person_and_the_item_are_gone",),
    },
    "S23": {
        "web/test_correcting": (
            "test_a_correction_in_the_admin_site_stands_against_who_had_the_old_version_open",
            "test_a_stale_form_is_refused",
        ),
        "services/test_correcting": (
            "test_a_correction_is_a_new_version_that_supersedes_and_is_no_fresher",
            "test_what_is_wrong_changes_nothing",
        ),
    },
    "S24": {
        "services/test_sweeps": ("test_a_message_that_fails_is_kept_and_the_others_are_delivered",),
        "tasks/test_outbox_worker": ("test_a_worker_killed_in_the_middle_loses_nothing_and_records_nothing_twice",),
        "runtime/test_queue": ("test_outcomes_are_rows_and_tasks_may_be_delivered_twice",),
        "services/test_bulk_races": ("test_workers_on_the_same_job_share_it_and_do_nothing_twice",),
        "tasks/test_telling_worker": ("test_once_each_although_every_message_comes_twice_and_workers_are_killed",),
        "tasks/test_week": ("test_everything_of_a_week_is_told_once",),
        "tasks/test_week_killed": ("test_each_thing_once_although_every_worker_is_killed",),
        "services/test_sending": ("test_a_question_is_mailed_once_however_often_it_is_delivered",),
    },
    "S25": {
        "tasks/test_bulk_worker": (
            "test_a_worker_killed_in_the_middle_is_taken_over_and_no_row_is_done_twice",
            "test_a_short_job_does_not_wait_for_the_end_of_a_long_one",
        ),
        "web/test_bulk": ("test_progress_is_polled_while_it_runs_and_not_after",),
    },
    "S26": {
        "web/test_scenarios": ("test_equal_ones_close_credited_and_one_click_leads_there_and_back",),
        "services/test_deciding": (
            "test_equal_proposals_close_with_the_approved_one_credited",
            "test_a_repeat_of_the_current_fact_is_closed_by_the_system_with_its_evidence_linked",
            "test_a_repeat_with_a_newer_check_waits_and_refreshes_the_check_when_approved",
        ),
    },
    "S27": {
        "web/test_inquiries": ("test_a_side_that_is_gone_stays_readable_and_cannot_win",),
        "services/test_answering": ("test_when_one_side_is_gone_only_the_other_or_neither_can_be_answered",),
    },
    "S28": {
        "services/test_work_news": (
            "test_one_high_risk_item_is_one_message_at_once",
            "test_five_hundred_at_once_are_one_digest_on_each_channel",
            "test_an_unchanged_backlog_is_nothing_to_talk_about",
        ),
        "rules/test_telling": ("test_a_message_waits_for_more_but_not_for_ever_and_not_right_after_the_last_one",),
    },
}  # fmt: skip

# Rows about what the house does not do yet, each with the places where it would begin: once one is there, so must be its test.
NOT_YET: dict[str, tuple[str, ...]] = {}


@cache
def names_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_every_row_is_proved_or_not_yet_built() -> None:
    assert set(PROOFS) | set(NOT_YET) == {f"S{number}" for number in range(1, 29)}
    assert not set(PROOFS) & set(NOT_YET)


@pytest.mark.parametrize("row", PROOFS)
def test_its_tests_are_there(row: str) -> None:
    for name, tests in PROOFS[row].items():
        path = ROOT / "tests" / f"{name}.py"
        assert path.exists(), f"{row}: {name} is gone"
        missing = set(tests) - names_in(path)
        assert not missing, f"{row}: no test of that name in {name}: {sorted(missing)}"


def test_what_is_not_built_yet_is_not_there() -> None:
    begun = {
        row: [str(path.relative_to(ROOT)) for place in NOT_YET[row] for path in ROOT.glob(place)] for row in NOT_YET
    }
    assert not any(begun.values()), "these have to be proved now"
