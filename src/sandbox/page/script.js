// The script of the page. Every view works without it; with it, views change in place and follow the sandbox live.
(() => {
  const regions = () => [...document.querySelectorAll('[data-region]')];
  /** The HTML of each region as the server sent it, to change only what has changed. */
  const sent = new Map(regions().map((region) => [region.dataset.region, region.innerHTML]));
  const list = document.querySelector('.list');
  const detail = document.getElementById('detail');
  const wide = matchMedia('(min-width: 60rem)');
  let visits = 0;
  /** The number of views that are being opened. */
  let opening = 0;

  /** Shows a view that was loaded. `isNew`: it was opened by a person, so it starts at its top. */
  const show = (html, isNew) => {
    const loaded = new DOMParser().parseFromString(html, 'text/html');
    if (!loaded.querySelector('[data-region]')) return location.reload();
    const focused = document.activeElement;
    const selection = focused?.selectionStart;
    const isInMain = focused?.closest('main');
    if (focused?.matches('.list .row')) leftRow = focused.id;
    for (const region of regions()) {
      const name = region.dataset.region;
      const other = loaded.querySelector(`[data-region="${name}"]`);
      const now = other?.innerHTML ?? '';
      // A notice stays until the next action.
      if (name === 'notice' && now === '' && !isNew) continue;
      if (sent.get(name) === now || (region === list && isTyping())) continue;
      // A person moves the slider.
      if (region.dataset.moved) continue;
      sent.set(name, now);
      if (region === list) replaceList(other);
      else replace(region, other, isNew);
    }
    document.title = loaded.title;
    document.body.className = loaded.body.className;
    document.documentElement.dataset.theme = loaded.documentElement.dataset.theme ?? '';
    const same = focused?.id && document.getElementById(focused.id);
    if (same && document.activeElement !== same) {
      same.focus({ preventScroll: true });
      if (typeof selection === 'number' && same.matches('textarea, [name="subscriber"]'))
        same.setSelectionRange(selection, selection);
    }
    if (isNew && isInMain && !wide.matches) focusPane();
    tick();
  };

  /** The row from which a detail was opened. */
  let leftRow;
  /** On a small screen, the list and the detail replace each other, so what had the focus may be hidden. */
  const focusPane = () => {
    const { activeElement: focused, body } = document;
    if (focused !== body && focused.offsetParent) return;
    const isDetail = body.matches('.shows-detail');
    const row = document.getElementById(leftRow ?? '');
    (isDetail ? detail : (row ?? list)).focus({ preventScroll: isDetail });
  };

  const isTyping = () =>
    list.contains(document.activeElement) && document.activeElement.matches('input, select');

  const replace = (region, other, isNew) => {
    const open = [...region.querySelectorAll('details')].map((one) => one.open);
    const { scrollTop } = region;
    if (!isNew)
      for (const field of region.querySelectorAll('[data-keep]')) {
        const next = other.querySelector(`#${field.id}`);
        if (next && field.value !== field.defaultValue) next.replaceWith(field);
      }
    region.replaceChildren(...document.adoptNode(other).childNodes);
    region.scrollTop = isNew ? 0 : scrollTop;
    if (region === detail) restoreChoices();
    const details = [...region.querySelectorAll('details')];
    if (isNew || details.length !== open.length) return;
    for (const [at, one] of details.entries()) one.open = open[at];
  };

  /** Another page, filter or section starts at its top. Otherwise, the rows that are being read stay where they are. */
  const replaceList = (other) => {
    const isOther = list.dataset.address !== other.dataset.address;
    const { address } = other.dataset;
    const label = other.getAttribute('aria-label');
    // On a small screen, the list scrolls with the page.
    const scroller = wide.matches ? list : document.scrollingElement;
    const top = (row) => row.getBoundingClientRect().top;
    const known = new Set(rows().map(({ id }) => id));
    const read = rows().find((row) => top(row) > 0);
    const before = read && top(read);
    replace(list, other, isOther);
    list.dataset.address = address;
    list.setAttribute('aria-label', label);
    continueSearch();
    const same = read && document.getElementById(read.id);
    if (isOther) {
      scroller.scrollTop = 0;
      above = 0;
      reveal();
      return;
    }
    if (same && scroller.scrollTop > 0) scroller.scrollTop += top(same) - before;
    const isKnown = rows().map(({ id }) => known.has(id));
    const count = isKnown.includes(true) ? isKnown.indexOf(true) : isKnown.length;
    const noun = { Messages: 'message', Activity: 'event', Requests: 'request' }[label];
    if (!noun || count === 0) return showAbove();
    document.getElementById('news').textContent = `${count} new ${noun}${count === 1 ? '' : 's'}`;
    above += count;
    showAbove();
  };

  // The number of new rows above a list that was scrolled.
  let above = 0;
  const fresh = document.getElementById('fresh');
  const showAbove = () => {
    const scroller = wide.matches ? list : document.scrollingElement;
    if (scroller.scrollTop < 40) above = 0;
    fresh.hidden = above === 0;
    fresh.textContent = `${above} new ↑`;
  };
  for (const scroller of [list, window])
    scroller?.addEventListener('scroll', () => showAbove(), { passive: true });
  fresh?.addEventListener('click', () => {
    (wide.matches ? list : document.scrollingElement).scrollTop = 0;
    rows()[0]?.focus();
  });

  const rows = () => [...list.querySelectorAll('.row')];
  /** Scrolls the list to the row that is shown. After `scrollIntoView`, Tab would continue at the row. */
  const reveal = () => {
    const row = list.querySelector('.row[aria-current]')?.getBoundingClientRect();
    if (!row || !wide.matches) return;
    const box = list.getBoundingClientRect();
    const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(list);
    const over = row.top - box.top - (Number.parseFloat(scrollPaddingTop) || 0);
    const under = row.bottom - box.bottom + (Number.parseFloat(scrollPaddingBottom) || 0);
    if (over < 0) list.scrollTop += over;
    else if (under > 0) list.scrollTop += under;
  };

  /** A search that has read only the newest items goes on until a page is full. */
  const continueSearch = async () => {
    const link = list.querySelector('[data-continue]');
    if (!link || rows().length >= 40) return;
    const html = await fetch(link.href)
      .then((response) => response.text())
      .catch(() => '');
    // Another view was opened in the meantime.
    if (!link.isConnected || html === '') return;
    const loaded = new DOMParser().parseFromString(html, 'text/html');
    const results = loaded.querySelector('.results');
    if (!results) return;
    const hasRows = rows().length > 0;
    if (!hasRows || results.querySelector('.row'))
      list.querySelector('.results').append(...document.adoptNode(results).childNodes);
    const progress = loaded.querySelector('.progress');
    const shown = list.querySelector('.progress');
    if (progress) shown.replaceWith(document.adoptNode(progress));
    else shown.remove();
    const older = loaded.querySelector('.list .pages a:last-child');
    if (older?.textContent === 'Older' && !progress)
      list.append(document.adoptNode(older.parentNode));
    continueSearch();
  };

  let loadedAt = 0;
  const load = async (url, options, isNew) => {
    visits += 1;
    const visit = visits;
    const response = await fetch(url, options);
    const html = await response.text();
    // Another view was opened in the meantime.
    if (visit !== visits) return undefined;
    show(html, isNew);
    loadedAt = performance.now();
    return response.url;
  };

  /** Loads what a person asked for. A live refresh waits for it, because only the last load is shown. */
  const open = async (url, options, isNew) => {
    opening += 1;
    try {
      return await load(url, options, isNew);
    } catch {
      stopped();
      return undefined;
    } finally {
      opening -= 1;
    }
  };

  const go = async (path) => {
    const url = new URL(path, location.href).href;
    if (!(await open(url, {}, true))) return;
    if (url !== location.href) history.pushState(null, '', url);
    if (document.body.className === 'shows-detail' && !wide.matches) scrollTo(0, 0);
    if (isStale) refresh();
  };

  /** The width and the colors that were chosen for e-mails apply to the next ones too. */
  const restoreChoices = () => {
    for (const group of document.querySelectorAll('[data-choice]')) {
      const chosen = sessionStorage.getItem(group.dataset.choice);
      for (const one of group.querySelectorAll('input'))
        if (one.value === chosen) one.checked = true;
    }
  };
  detail?.addEventListener('change', ({ target }) => {
    const group = target.closest('[data-choice]');
    if (group) sessionStorage.setItem(group.dataset.choice, target.value);
  });
  restoreChoices();

  /** A person who fills in a form works with the item that is shown, so the newest one does not replace it. */
  const pause = () => {
    const link = document.getElementById('pause');
    if (!link || link.ariaCurrent) return;
    history.replaceState(null, '', link.href);
    document.getElementById('follow').ariaCurrent = null;
    link.ariaCurrent = 'true';
  };
  detail?.addEventListener('input', ({ target }) => target.closest('form') && pause());
  detail?.addEventListener(
    'toggle',
    ({ target }) => target.id === 'again' && target.open && pause(),
    true,
  );

  const isOwn = (url) =>
    url.origin === location.origin &&
    (url.pathname === '/' ||
      /^\/page\/(messages|inbox|story|activity|requests|workflows)\b/.test(url.pathname));

  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (
      !link ||
      link.target ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.button !== 0
    )
      return;
    const url = new URL(link.href);
    if (!isOwn(url) || url.hash) return;
    event.preventDefault();
    go(url.href);
  });

  // Clearing the search with its button shows all messages again.
  document.addEventListener('search', ({ target }) => {
    if (target.value === '' && target.defaultValue !== '') target.form.requestSubmit();
  });

  document.addEventListener('submit', (event) => {
    const form = event.target;
    const action = event.submitter?.getAttribute('formaction') ?? form.getAttribute('action');
    const data = new URLSearchParams(new FormData(form, event.submitter));
    if (form.method === 'dialog') return;
    event.preventDefault();
    delete form.dataset.moved;
    if (form.method === 'post') {
      if (form.querySelector('.json-problem:not(:empty)')) return;
      data.set('back', location.pathname + location.search);
      open(action, { method: 'POST', body: data }, false).then((address) => {
        // The result of sending an event is a view of its own.
        if (address && isOwn(new URL(address)) && address !== location.href) {
          history.pushState(null, '', address);
          detail.scrollTop = 0;
        }
        if (isStale) refresh();
      });
      return;
    }
    for (const [name, value] of [...data]) if (value === '') data.delete(name);
    document.activeElement?.blur();
    go(`${action}${data.size > 0 ? `?${data}` : ''}`);
  });

  addEventListener('popstate', () => open(location.href, {}, true));

  document.addEventListener('click', async ({ target }) => {
    const button = target.closest?.('[data-copy]');
    if (!button) return;
    const text = button.closest('section').querySelector('pre');
    try {
      await navigator.clipboard.writeText(text.textContent);
      document.getElementById('news').textContent = 'Copied';
      button.dataset.copy = 'done';
    } catch {
      getSelection().selectAllChildren(text);
    }
  });

  // JSON is checked, and suggestions are loaded, while a person types.
  let typing;
  document.addEventListener('input', ({ target }) => {
    if (target.matches('[data-json]')) checkJson(target);
    if (target.matches('[list="people"]')) suggest(target.value);
    const form = target.closest('[data-auto]');
    if (!form) return;
    clearTimeout(typing);
    typing = setTimeout(() => {
      if (form.isConnected && !form.querySelector('.json-problem:not(:empty)'))
        form.requestSubmit();
    }, 400);
  });
  const checkJson = (field) => {
    let problem = '';
    try {
      const value = JSON.parse(field.value.trim() || '{}');
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        problem = 'The payload must be a JSON object.';
    } catch (error) {
      problem = error.message;
    }
    field.setAttribute('aria-invalid', String(problem !== ''));
    field.parentNode.querySelector('.json-problem').textContent = problem;
  };
  let asked = 0;
  const suggest = async (text) => {
    asked += 1;
    const question = asked;
    const response = await fetch(`/page/people?${new URLSearchParams({ q: text })}`).catch(
      () => undefined,
    );
    const html = await response?.text();
    const loaded = new DOMParser().parseFromString(html ?? '', 'text/html');
    if (question === asked && response?.ok)
      document.getElementById('people').replaceChildren(...loaded.querySelectorAll('option'));
  };

  // The slider of the clock chooses one of the options that the page has without the script.
  const slide = (range) => {
    const { form } = range;
    form.dataset.moved = 'true';
    form.advance.selectedIndex = range.value;
    const { text } = form.advance.selectedOptions[0];
    const [first, ...rest] = text.split(' · ');
    const output = form.querySelector('output');
    output.firstChild.textContent = first;
    output.lastChild.textContent = rest.join(' · ');
    range.setAttribute('aria-valuetext', text);
  };
  document.addEventListener('input', ({ target }) => target.id === 'slide' && slide(target));
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    const form = target.closest('.clock');
    if (form && !form.contains(relatedTarget)) delete form.dataset.moved;
  });

  // Ctrl-K finds what the server finds for each text.
  const palette = document.getElementById('palette');
  const finder = document.getElementById('palette-text');
  const found = document.getElementById('found');
  const choices = () => [finder, ...found.querySelectorAll('a, button')];
  const find = async () => {
    const { value } = finder;
    const response = await fetch(`/page/find?${new URLSearchParams({ q: value })}`).catch(
      () => undefined,
    );
    const html = await response?.text();
    if (finder.value !== value || !response?.ok) return;
    const loaded = new DOMParser().parseFromString(html, 'text/html');
    const chosen = choices().indexOf(document.activeElement);
    found.replaceChildren(...loaded.body.childNodes);
    found.scrollTop = 0;
    if (chosen > 0) (choices()[chosen] ?? finder).focus();
  };
  const openPalette = () => {
    if (document.querySelector('dialog[open]')) return;
    finder.value = '';
    palette.showModal();
    finding = find();
  };
  /** Settles when the choices for the text are shown. */
  let finding;
  finder?.addEventListener('input', () => {
    finding = find();
  });
  palette?.addEventListener('keydown', (event) => {
    const all = choices();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // The browser would only clear the text.
    if (event.key === 'Escape') palette.close();
    else if (step) all[Math.max(0, all.indexOf(document.activeElement) + step)]?.focus();
    else if (event.key !== 'Enter' || event.target !== finder || event.isComposing) return;
    else finding.then(() => palette.open && choices()[1]?.click());
    event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const { target } = event;
    if (target.closest('.skip') && !detail.offsetParent) {
      event.preventDefault();
      list.focus();
    }
    if (target.closest('#find')) openPalette();
    if (target.closest('#show-keys')) document.getElementById('keys').showModal();
    // A click beside a dialog has the dialog itself as its target.
    if (target.matches('dialog') || target.closest('#found :is(a, button)'))
      target.closest('dialog').close();
    const action = target.closest('[data-press]');
    if (action) press(action.dataset.press);
  });

  const press = (selector) => document.querySelector(selector)?.click();
  const shownRow = () => {
    const all = rows();
    const active = document.activeElement?.closest('.row');
    return { all, at: all.indexOf(active ?? list.querySelector('.row[aria-current]')) };
  };
  const keys = {
    '/': () => list.querySelector('[type="search"]')?.select(),
    j: () => openRow(1),
    k: () => openRow(-1),
    o: () => press('[data-open]'),
    '?': () => press('#show-keys'),
    Escape: () => press('.back a'),
  };
  const openRow = (step) => {
    const { all, at } = shownRow();
    const row = all[at + step];
    row?.focus();
    row?.click();
  };
  document.addEventListener('keydown', (event) => {
    if (event.key === 'k' && (event.ctrlKey || event.metaKey) && palette) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (document.querySelector('dialog[open]')) return;
    if (event.target.id === 'slide' && event.key === 'Enter') {
      event.preventDefault();
      event.target.form.requestSubmit();
      return;
    }
    const row = event.target.closest?.('.row');
    if (row && ['ArrowDown', 'ArrowUp'].includes(event.key)) {
      const all = rows();
      all[all.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
      event.preventDefault();
      return;
    }
    if (!list || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    if (event.target.matches('input:not([type="radio"], [type="range"]), textarea, select')) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    event.preventDefault();
    keys[event.key]();
  });

  // The clock runs on between two loads.
  let shown = { at: performance.now(), time: 0 };
  const clock = () => document.querySelector('[data-clock]');
  const tick = () => {
    shown = { at: performance.now(), time: Date.parse(clock()?.dateTime ?? '') };
  };
  setInterval(() => {
    if (clock()?.dataset.clock !== 'running' || isOffline()) return;
    const now = new Date(shown.time + performance.now() - shown.at);
    clock().querySelector('b').textContent = now.toISOString().slice(11, 19);
  }, 1_000);
  tick();

  // Follows the sandbox while the page is visible. A browser has few connections, so hidden pages have none.
  let live;
  let isBusy = false;
  let isStale = false;
  const notice = document.querySelector('.offline');
  const isOffline = () => !notice.hidden;
  const setOffline = (value) => {
    notice.hidden = !value;
    document.querySelector('.steps').disabled = value;
  };
  const stopped = () => setOffline(true);
  // A view that takes long to compute is loaded less often; what a person opens is loaded at once.
  let planned;
  const isEarly = () => {
    const interval = detail.querySelector('[data-interval]')?.dataset.interval ?? 0;
    const rest = loadedAt + Number(interval) - performance.now();
    clearTimeout(planned);
    if (rest > 0) planned = setTimeout(refresh, rest);
    return rest > 0;
  };
  const refresh = async () => {
    isStale = true;
    if (isBusy || opening > 0) return;
    isBusy = true;
    while (isStale && opening === 0 && !isEarly()) {
      isStale = false;
      await load(location.href, {}, false).catch(stopped);
    }
    isBusy = false;
  };
  const follow = () => {
    live?.close();
    if (document.hidden) return;
    live = new EventSource(document.body.dataset.live);
    live.addEventListener('change', refresh);
    live.onopen = () => {
      setOffline(false);
      refresh();
    };
    // Either the sandbox has stopped, or it was started again without this session.
    live.onerror = refresh;
  };
  document.addEventListener('visibilitychange', follow);
  if (document.body.dataset.live) follow();
  if (!list) return;
  reveal();
  continueSearch();
})();
