// Runs before the first paint: the chosen theme, and the chosen language with its direction.
(function () {
  var root = document.documentElement;
  try {
    var theme = localStorage.getItem("cms-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    var language = localStorage.getItem("cms-language");
    if (language) {
      root.lang = language;
      root.dir = /^(ar|fa|he|ur)\b/.test(language) ? "rtl" : "ltr";
    }
  } catch {
    // Storage may be forbidden; the system's choices stand.
  }
})();
