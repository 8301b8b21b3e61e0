// Draws the API pages from the description that the page names. Without a script the page shows the link to it.
"use strict";

const place = document.getElementById("api-docs");

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.openapiUrl,
  deepLinking: true,
  // No validator badge: it would send the description to a server elsewhere.
  validatorUrl: null,
});
