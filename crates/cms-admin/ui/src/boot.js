// Runs before the first paint: the chosen theme, the language with its direction, and what the application will ask for first. It also says so when the
// application does not come. Nothing of it may need the application's own code.
(function () {
  var root = document.documentElement;
  var script = document.currentScript;

  function stored(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be forbidden; the system's choices stand.
      return null;
    }
  }

  function meta(name) {
    var element = document.querySelector('meta[name="' + name + '"]');
    return element ? element.content : "";
  }

  var theme = stored("cms-theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;

  var texts = {
    en: ["The application could not be loaded. Check your connection.", "Try again"],
    de: ["Die Anwendung konnte nicht geladen werden. Prüfen Sie Ihre Verbindung.", "Erneut versuchen"],
    fr: ["L’application n’a pas pu être chargée. Vérifiez votre connexion.", "Réessayer"],
    es: ["No se pudo cargar la aplicación. Compruebe su conexión.", "Volver a intentarlo"],
    ar: ["تعذّر تحميل التطبيق. تحقق من اتصالك.", "إعادة المحاولة"],
  };
  var wanted = [stored("cms-language") || ""].concat(navigator.languages || []).map(function (tag) {
    return tag.split("-")[0];
  });
  var language = wanted.filter(function (tag) {
    return tag in texts;
  })[0] || "en";
  root.lang = language;
  root.dir = language === "ar" ? "rtl" : "ltr";

  /** Says that the application did not come, in the place where it would be. */
  function sayFailed() {
    var text = document.getElementById("boot-text");
    var again = document.getElementById("boot-again");
    if (!text || !again) return;
    document.getElementById("boot-wait").hidden = true;
    text.textContent = texts[language][0];
    again.textContent = texts[language][1];
    text.hidden = again.hidden = false;
    again.onclick = function () {
      location.reload();
    };
  }

  // A script or a style sheet that cannot be had, and whatever stops the application before it has drawn anything.
  addEventListener(
    "error",
    function (event) {
      var from = event.target;
      if (from instanceof HTMLScriptElement || (from instanceof HTMLLinkElement && from.rel === "stylesheet") || from === window) sayFailed();
    },
    true,
  );
  addEventListener("unhandledrejection", sayFailed);

  // The rest needs to know where the server is, which stands further down in the page.
  document.addEventListener("readystatechange", function begin() {
    document.removeEventListener("readystatechange", begin);
    var assets = script.src.replace(/[^/]*$/, "");
    meta("cms-catalogs")
      .split(" ")
      .forEach(function (catalog) {
        if (catalog.split("=")[0] !== language) return;
        var link = document.createElement("link");
        link.rel = "modulepreload";
        link.href = assets + catalog.split("=")[1];
        document.head.append(link);
      });
    var headers = {};
    headers[meta("cms-header")] = "1";
    // What every screen needs first. The application takes the answers from here; nobody else may.
    window.cmsFirst = {};
    // Before the door nobody needs to know who is there.
    var isDoor = /\/(authorize|confirm-email|device|invite|login|magic-link|reauth|refuse-email|setup|signed-out|signup)(\/|$)/.test(location.pathname);
    var first = isDoor ? ["/auth/mode"] : ["/auth/me", "/auth/mode"];
    // Whose role does not let them is not told what is written: `session/session.tsx` notes what the role of whoever was here last does.
    var reads = !isDoor && stored("cms-reads-drafts") === "1";
    if (reads) first.push("/models");
    // A list of entries, and one of them. Which one it is in another language the address alone does not say.
    var content = reads && /\/content\/([a-z][a-z0-9_]*)(?:\/([0-9A-Z]{26}))?(?:\/|$)/.exec(location.pathname);
    if (content) first.push("/models/" + content[1]);
    if (content && content[2] && !/[?&]locale=/.test(location.search)) first.push("/content/" + content[1] + "/" + content[2]);
    first.forEach(function (path) {
      var answer = fetch(meta("cms-prefix") + "/api" + path, { headers: headers });
      // Whoever asks for it deals with its failure.
      answer.catch(function () {});
      window.cmsFirst[path] = answer;
    });
  });
})();
