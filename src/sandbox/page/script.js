// The script of the page. Every view works without it; with it, views change in place and follow the sandbox live.
(() => {
  const regions = () => [...document.querySelectorAll('[data-region]')];
  /** The HTML of each region as the server sent it, to change only what has changed. */
  const sent = new Map(regions().map((region) => [region.dataset.region, region.innerHTML]));
  const list = document.querySelector('.list');
  const wide = matchMedia('(min-width: 60rem)');
  let visits = 0;
  /** The number of views that are being opened. */
  let opening = 0;

  /** Shows a view that was loaded. `isNew`: it was opened by a person, so it starts at its top. */
  const show = (html, isNew) => {
    const loaded = new DOMParser().parseFromString(html, 'text/html');
    if (!loaded.querySelector('[data-region]')) return location.reload();
    const focused = document.activeElement?.id;
    for (const region of regions()) {
      const name = region.dataset.region;
      const other = loaded.querySelector(`[data-region="${name}"]`);
      const now = other?.innerHTML ?? '';
      // A notice stays until the next action.
      if (name === 'notice' && now === '' && !isNew) continue;
      if (sent.get(name) === now || (region === list && isTyping())) continue;
      sent.set(name, now);
      if (region === list) replaceList(other);
      else replace(region, other, isNew);
    }
    document.title = loaded.title;
    document.body.className = loaded.body.className;
    if (focused && document.activeElement?.id !== focused)
      document.getElementById(focused)?.focus();
    tick();
  };

  const isTyping = () =>
    list.contains(document.activeElement) && document.activeElement.matches('input, select');

  const replace = (region, other, isNew) => {
    const open = [...region.querySelectorAll('details')].map((one) => one.open);
    const { scrollTop } = region;
    region.replaceChildren(...document.adoptNode(other).childNodes);
    region.scrollTop = isNew ? 0 : scrollTop;
    if (region === detail) restoreWidth();
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
    const same = read && document.getElementById(read.id);
    if (isOther) {
      scroller.scrollTop = 0;
      reveal();
      return;
    }
    if (same && scroller.scrollTop > 0) scroller.scrollTop += top(same) - before;
    const isKnown = rows().map(({ id }) => known.has(id));
    const count = isKnown.includes(true) ? isKnown.indexOf(true) : isKnown.length;
    const noun = { Messages: 'message', Activity: 'event' }[label];
    if (noun && count > 0)
      document.getElementById('news').textContent = `${count} new ${noun}${count === 1 ? '' : 's'}`;
  };

  const rows = () => [...list.querySelectorAll('.row')];
  /** Scrolls the list to the row that is shown. */
  const reveal = () => {
    if (wide.matches)
      list.querySelector('.row[aria-current]')?.scrollIntoView({ block: 'nearest' });
  };

  const load = async (url, options, isNew) => {
    visits += 1;
    const visit = visits;
    const response = await fetch(url, options);
    const html = await response.text();
    // Another view was opened in the meantime.
    if (visit !== visits) return false;
    show(html, isNew);
    return true;
  };

  /** Loads what a person asked for. A live refresh waits for it, because only the last load is shown. */
  const open = async (url, options, isNew) => {
    opening += 1;
    try {
      return await load(url, options, isNew);
    } catch {
      stopped();
      return false;
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

  /** Without an opened message, the newest one is shown. From the moment that a person turns to it, it stays. */
  const stay = () => {
    const row = list?.querySelector('.row[aria-current]');
    if (row && row.href !== location.href && document.body.className === 'shows-list')
      history.replaceState(null, '', row.href);
  };
  const detail = document.getElementById('detail');
  // A frame reports no events, so the pointer counts as soon as it enters the detail.
  for (const type of ['pointerover', 'wheel', 'keydown'])
    detail?.addEventListener(type, stay, { passive: true });
  addEventListener('blur', () => document.activeElement?.tagName === 'IFRAME' && stay());

  /** The width that was chosen for e-mails applies to the next ones too. */
  const restoreWidth = () => {
    const chosen = sessionStorage.getItem('width');
    for (const one of document.querySelectorAll('.widths input'))
      one.checked = one.value === (chosen ?? 'full');
  };
  detail?.addEventListener('change', ({ target }) => sessionStorage.setItem('width', target.value));
  restoreWidth();

  const isOwn = (url) =>
    url.origin === location.origin &&
    (url.pathname === '/' || /^\/page\/(messages|inbox|activity)\b/.test(url.pathname));

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
    const data = new URLSearchParams(new FormData(form, event.submitter));
    event.preventDefault();
    if (form.method === 'post') {
      data.set('back', location.pathname + location.search);
      open(form.action, { method: 'POST', body: data }, false).then(() => isStale && refresh());
      return;
    }
    for (const [name, value] of [...data]) if (value === '') data.delete(name);
    document.activeElement?.blur();
    go(`${form.getAttribute('action')}${data.size > 0 ? `?${data}` : ''}`);
  });

  addEventListener('popstate', () => open(location.href, {}, true));

  // Arrow keys move between the rows of the list.
  document.addEventListener('keydown', (event) => {
    const row = event.target.closest?.('.row');
    if (!row || !['ArrowDown', 'ArrowUp'].includes(event.key)) return;
    const all = rows();
    all[all.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    event.preventDefault();
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
  const refresh = async () => {
    isStale = true;
    if (isBusy || opening > 0) return;
    isBusy = true;
    while (isStale && opening === 0) {
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
  if (list) reveal();
})();
