(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("js");

  // theme: as the system says, or as chosen here; the one thing that is stored
  var themes = ["auto", "light", "dark"];
  var button = document.querySelector(".theme");
  function stored() { try { return localStorage.getItem("toolproof-theme") || "auto"; } catch (e) { return "auto"; } }
  function wear(theme) {
    if (theme === "auto") { root.removeAttribute("data-theme"); } else { root.setAttribute("data-theme", theme); }
    button.textContent = "Theme: " + theme;
  }
  var theme = themes.indexOf(stored()) < 0 ? "auto" : stored();
  wear(theme);
  button.addEventListener("click", function () {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try { localStorage.setItem("toolproof-theme", theme); } catch (e) { /* private windows may refuse */ }
    wear(theme);
  });

  // search and filters, kept in the address's fragment
  var outcomes = Array.prototype.slice.call(document.querySelectorAll(".outcome"));
  var search = document.getElementById("search");
  var selects = Array.prototype.slice.call(document.querySelectorAll(".tools select"));
  var count = document.querySelector(".count");
  var nothing = document.querySelector(".nothing");
  var texts = new Map();
  function text(outcome) {
    if (!texts.has(outcome)) { texts.set(outcome, outcome.textContent.toLowerCase()); }
    return texts.get(outcome);
  }
  function wanted() {
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    var picked = selects.filter(function (select) { return select.value; });
    return { words: words, picked: picked, all: !words.length && !picked.length };
  }
  function apply() {
    var want = wanted(), shown = 0;
    outcomes.forEach(function (outcome) {
      var fits = want.picked.every(function (select) {
        return (" " + outcome.getAttribute("data-" + select.name) + " ").indexOf(" " + select.value + " ") >= 0;
      }) && want.words.every(function (word) { return text(outcome).indexOf(word) >= 0; });
      outcome.hidden = !fits;
      if (fits) { shown += 1; }
    });
    document.querySelectorAll(".rest").forEach(function (rest) {
      var inside = rest.querySelector(".outcome:not([hidden])");
      rest.hidden = !inside;
      rest.open = !want.all && Boolean(inside);
    });
    document.querySelectorAll("section[data-phase]").forEach(function (section) {
      section.hidden = !want.all && !section.querySelector(".outcome:not([hidden])");
    });
    document.querySelectorAll(".whole").forEach(function (part) { part.hidden = !want.all; });
    var all = outcomes.length.toLocaleString("en") + (outcomes.length === 1 ? " result" : " results");
    count.textContent = want.all ? all : shown.toLocaleString("en") + " of " + all;
    nothing.hidden = want.all || shown > 0;
  }
  function write() {
    var parts = selects.filter(function (s) { return s.value; }).map(function (s) { return s.name + "=" + encodeURIComponent(s.value); });
    if (search.value) { parts.unshift("q=" + encodeURIComponent(search.value)); }
    history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search);
  }
  function reveal(id) {
    var target = id && document.getElementById(id);
    if (!target) { return; }
    for (var node = target; node; node = node.parentElement) { if (node.tagName === "DETAILS") { node.open = true; } }
    var own = target.querySelector("details");
    if (own) { own.open = true; }
    target.scrollIntoView();
  }
  function read() {
    var fragment = location.hash.slice(1), given = {};
    if (fragment.indexOf("=") < 0) { reveal(fragment); return; }
    fragment.split("&").forEach(function (pair) {
      var at = pair.indexOf("=");
      try { given[pair.slice(0, at)] = decodeURIComponent(pair.slice(at + 1)); } catch (e) { /* a broken link */ }
    });
    search.value = given.q || "";
    selects.forEach(function (select) { select.value = given[select.name] || ""; if (select.selectedIndex < 0) { select.value = ""; } });
  }
  search.addEventListener("input", function () { apply(); write(); });
  selects.forEach(function (select) { select.addEventListener("change", function () { apply(); write(); }); });
  window.addEventListener("hashchange", function () { read(); if (location.hash.indexOf("=") > 0) { apply(); } });
  read();
  apply();

  // folding
  var all = document.querySelector(".all");
  all.addEventListener("click", function () {
    var open = all.textContent === "Unfold all";
    all.textContent = open ? "Fold all" : "Unfold all";
    document.querySelectorAll("main details").forEach(function (details) { if (!details.closest("[hidden]")) { details.open = open; } });
  });

  // copying, also where a page opened from a file may not use the clipboard
  function copied(where) {
    var before = where.textContent;
    where.textContent = "Copied";
    setTimeout(function () { where.textContent = before; }, 1500);
  }
  function select(node) {
    var range = document.createRange();
    range.selectNodeContents(node);
    var selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }
  document.addEventListener("click", function (event) {
    var where = event.target.closest && event.target.closest(".copy");
    if (!where) { return; }
    var source = where.parentElement.querySelector("code");
    if (navigator.clipboard && window.isSecureContext) {
      navigator.clipboard.writeText(source.textContent).then(function () { copied(where); }, function () { select(source); });
    } else {
      select(source);
      if (document.execCommand("copy")) { copied(where); }
    }
  });

  // keys: / searches, Escape clears, j and k step through what is shown
  function step(by) {
    var shown = outcomes.filter(function (o) { return !o.hidden && !o.closest("details:not([open])"); });
    var heads = shown.map(function (o) { return o.querySelector("summary") || o.querySelector(".permalink"); });
    var at = heads.indexOf(document.activeElement) + by;
    if (heads.indexOf(document.activeElement) < 0) { at = by > 0 ? 0 : heads.length - 1; }
    if (heads[at]) { heads[at].focus(); heads[at].scrollIntoView({ block: "nearest" }); }
  }
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    var typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape" && event.target === search) { search.value = ""; apply(); write(); search.blur(); return; }
    if (typing) { return; }
    if (event.key === "/") { event.preventDefault(); search.focus(); search.select(); }
    if (event.key === "j") { step(1); }
    if (event.key === "k") { step(-1); }
  });

  // paper shows everything
  var folded = [];
  window.addEventListener("beforeprint", function () {
    folded = Array.prototype.slice.call(document.querySelectorAll("details:not([open])"));
    folded.forEach(function (details) { details.open = true; });
  });
  window.addEventListener("afterprint", function () { folded.forEach(function (details) { details.open = false; }); });
})();
