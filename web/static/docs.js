// Shows the API document with Swagger UI; nothing is sent anywhere but to this server.
SwaggerUIBundle({
  dom_id: "#document",
  url: document.getElementById("document").dataset.url,
  deepLinking: true,
  validatorUrl: null,
});
