/* Draws the page from its data, one JSON document in the element #data. Names in it come from anywhere, so that
   texts are only ever set as text: no markup is made of strings. */
'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const parts = data.placements;
const chosen = {limit: data.limit, order: 'name', part: null, app: null, with: null};
const byId = id => document.getElementById(id);

/* ---- elements ---- */

/** An element: attributes, handlers (onclick), then children, which are elements or texts. */
function element(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}
function shape(tag, attributes, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}
function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {}))
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value);
  made.append(...children.flat(2).filter(child => child !== null && child !== undefined));
  return made;
}
function folded(title, ...children) {
  return element('details', null, element('summary', null, title), ...children);
}
/** What is wider than the screen scrolls, with the keyboard too. */
function wide(label, content) {
  return element('div', {class: 'wide', tabindex: 0, role: 'group', 'aria-label': label}, content);
}
function select(label, options, value, change) {
  const made = element('select', {onchange: event => change(event.target.value)},
    options.map(([key, text]) => element('option', {value: key}, text)));
  made.value = value;
  return element('label', null, label + ' ', made);
}

/* ---- numbers: slowdowns and shares in %, latencies in µs, run times in s ---- */

const isKnown = value => value !== null && value !== undefined;
function digits(value, n) {
  if (!isKnown(value)) return '–';
  const text = Number(value.toPrecision(n || 3));
  return Math.abs(text) >= 1e5 || (text !== 0 && Math.abs(text) < 1e-4) ? text.toExponential(1) : String(text);
}
const count = value => isKnown(value) ? String(value) : '–';
const points = value => isKnown(value) ? (100 * value).toFixed(1).replace('-', '−') : '–';
function percent(fraction) {
  if (!isKnown(fraction)) return '?';
  const value = 100 * fraction, text = Math.abs(value) < 9.95 ? value.toFixed(1) : value.toFixed(0);
  return Number(text) === 0 ? '0 %' : (value > 0 ? '+' : '−') + text.replace('-', '') + ' %';
}
const share = fraction => isKnown(fraction) ? (100 * fraction).toFixed(fraction < 0.0995 ? 1 : 0) + ' %' : '–';
function span(lo, hi) {
  if (!isKnown(lo) || !isKnown(hi)) return 'no interval';
  const n = Math.max(Math.abs(lo), Math.abs(hi)) < 0.0995 ? 1 : 0, one = x => (100 * x).toFixed(n).replace(/^-(0([.]0)?)$/, '$1').replace('-', '−');
  return one(lo) + ' to ' + one(hi);
}
const mean = values => values.length ? values.reduce((sum, x) => sum + x, 0) / values.length : null;
const plural = (n, word) => n + ' ' + word + (n === 1 ? '' : 's');

/* ---- verdicts: the rule of study/verdict.h, for the limit that is chosen ---- */

const worse = ['yes', 'perhaps', 'unknown', 'disturbed', 'no'];
/** What processors, stolen time and drift may explain of a slowdown, and what of one they may hide. */
const explained = pair => Math.abs(pair.processors || 0) + Math.abs(pair.stolen || 0) + Math.abs(pair.drift || 0);
const hidden = pair => Math.max(0, -pair.processors || 0) + Math.max(0, -pair.stolen || 0) + Math.abs(pair.drift || 0);
function judge(pair) {
  if (!isKnown(pair.slowdown)) return 'unknown';
  const isFine = isKnown(pair.hi) && pair.hi <= chosen.limit, disturbance = isFine ? hidden(pair) : explained(pair);
  if (pair.is_measured && disturbance > Math.max(Math.abs(pair.slowdown), chosen.limit) / 2) return 'disturbed';
  if (!isKnown(pair.lo) || !isKnown(pair.hi)) return 'perhaps';
  return pair.hi <= chosen.limit ? 'yes' : pair.lo > chosen.limit ? 'no' : 'perhaps';
}
const pairOf = (part, app, other) => part.pairs[app * part.apps.length + other];
/** Both slowdowns of two applications. */
function judgeBoth(part, a, b) {
  const both = [judge(pairOf(part, a, b)), judge(pairOf(part, b, a))];
  return worse[Math.max(...both.map(verdict => worse.indexOf(verdict)))];
}
function beside(part, app, other) {
  return app === other ? part.apps[app] + ' twice' : part.apps[app] + ' beside ' + part.apps[other];
}
function countVerdicts(part) {
  const counts = {yes: 0, no: 0, perhaps: 0, unknown: 0, disturbed: 0, all: 0};
  part.apps.forEach((_, a) => {
    for (let b = a; b < part.apps.length && part.pairs.length; b++, counts.all++) counts[judgeBoth(part, a, b)]++;
  });
  return counts;
}

/* ---- first screen ---- */

function statusOf() {
  if (data.busy) return ['bad', data.busy];
  const pairs = parts.flatMap(part => part.pairs), measured = pairs.filter(pair => pair.is_measured).length;
  const disturbed = pairs.filter(pair => judge(pair) === 'disturbed').length;
  const unwatched = pairs.some(pair => pair.is_unwatched) ? ' Whether ranks waited for processors was not recorded.' : '';
  if (!pairs.length) return ['bad', 'No slowdown is known: see what is missing below.'];
  if (disturbed)
    return ['bad', `${disturbed} of ${measured} measurements are disturbed: do not decide by ` +
      (2 * disturbed > measured ? 'this page.' : 'the hatched cells.') + unwatched];
  if (measured < pairs.length)
    return ['fair', `${measured} of ${pairs.length} slowdowns were measured, the others are predicted (marked *).` + unwatched];
  if (unwatched) return ['fair', `All ${measured} slowdowns were measured.` + unwatched];
  const most = Math.max(...pairs.map(explained));
  return ['good', `All ${measured} slowdowns were measured` + (most < 5e-4 ? ', and nothing known disturbed them.'
    : `; drift, stolen time and processors explain at most ${(100 * most).toFixed(1)} points of any.`)];
}

function answerOf(part) {
  const n = countVerdicts(part), name = part.placement ? [element('b', null, part.placement + ': ')] : [];
  const left = [[n.perhaps, 'perhaps'], [n.disturbed, 'disturbed'], [n.unknown, 'not known']]
    .filter(([count]) => count).map(([count, word]) => `${word}: ${count}`).join(', ');
  const words = part.why_not ? ` This needs what was not measured: ${part.why_not}.` :
    ` Of ${plural(n.all, 'pair')} ${n.yes || 'none'} may run beside each other, ${n.no || 'none'} should not${left ? '; ' + left : ''}.`;
  return element('p', null, name, part.question + words);
}

function shadeOf(pair) {
  if (!isKnown(pair.slowdown)) return ['', null];
  if (pair.slowdown <= chosen.limit) return ['fine', null];
  const t = Math.min(1, Math.log(pair.slowdown / chosen.limit) / Math.log(30));
  return ['over', `--share: ${Math.round(100 * t)}%`];
}

/** Indexes of applications in the order that is chosen. */
function ordered(part) {
  const all = part.apps.map((_, app) => app);
  const key = app => mean(all.map(other => chosen.order === 'suffers' ? pairOf(part, app, other) : pairOf(part, other, app))
    .map(pair => pair.slowdown).filter(isKnown)) || 0;
  return chosen.order === 'name' || !part.pairs.length ? all : all.sort((a, b) => key(b) - key(a));
}

function describe(part, app, other) {
  const pair = pairOf(part, app, other), passes = pair.runs.reduce((sum, run) => sum + run[0], 0);
  const source = pair.is_measured ? `measured in ${plural(pair.runs.length, 'run')}, ${plural(passes, 'pass').replace('passs', 'passes')}`
    : isKnown(pair.slowdown) ? 'predicted by ' + part.model : 'neither measured nor predicted';
  const causes = [['processors', 'waiting for processors'], ['stolen', 'time taken by other virtual machines'], ['drift', 'drift of the baseline']]
    .filter(([key]) => Math.abs(pair[key] || 0) > 0.0005).map(([key, words]) => `${words} ${points(pair[key])}`).join(', ');
  const why = causes ? `; points that may be due to others: ${causes}` : '';
  return `${beside(part, app, other)}: ${percent(pair.slowdown)} (${span(pair.lo, pair.hi)}${isKnown(pair.lo) ? ' %' : ''}), ${judge(pair)}; ${source}${why}.`;
}

function cell(part, app, other) {
  const pair = pairOf(part, app, other), verdict = judge(pair), [shade, style] = shadeOf(pair);
  const isChosen = chosen.part === part && chosen.app === app && chosen.with === other;
  const tell = () => { byId('hover').textContent = describe(part, app, other); };
  return element('td', null, element('button', {
    class: `cell ${shade} ${verdict === 'disturbed' ? 'disturbed' : ''}`, style, type: 'button', 'aria-pressed': isChosen, onmouseenter: tell, onfocus: tell,
    onclick: () => choose({part, app, with: other})},
  element('span', {class: 'unseen'}, beside(part, app, other) + ': '), element('b', null, percent(pair.slowdown) + (pair.is_measured || !isKnown(pair.slowdown) ? '' : '*')),
  element('small', null, isKnown(pair.lo) ? span(pair.lo, pair.hi) : ' '), element('small', null, verdict)));
}

function matrix(part) {
  const order = ordered(part);
  const name = app => element('div', {class: 'name', title: part.apps[app]}, part.apps[app]);
  if (!part.pairs.length) return element('p', {class: 'missing'}, 'No slowdown is known' + (part.why_not ? ': ' + part.why_not : '') + '.');
  return wide(part.placement || 'Slowdowns', element('table', {class: order.length > 12 ? 'matrix many' : 'matrix'},
    element('caption', null, part.placement || 'Slowdown of the row beside the column'),
    element('thead', null, element('tr', null, element('td'), order.map(app => element('th', {scope: 'col'}, name(app))))),
    element('tbody', null, order.map(app => element('tr', null, element('th', {scope: 'row'}, name(app)),
      order.map(other => cell(part, app, other)))))));
}

function legend() {
  const key = (shade, text, style) => [element('span', {class: 'whole'}, element('span', {class: 'key ' + shade, style}), text), ' '];
  const limit = digits(100 * chosen.limit);
  return element('p', {class: 'soft'}, 'Slowdown, its interval, verdict.', key('fine', `up to ${limit} %`), key('over', 'more', '--share: 0%'),
    key('over', `${digits(3000 * chosen.limit)} % and more`, '--share: 100%'), key('disturbed', 'disturbed'), element('span', {class: 'whole'}, '\u2003* predicted'));
}

/* ---- what to measure next ---- */

const MOST_RUNS = 20;
/** [runs that are needed, words] for a slowdown that is not decided; null: it is, or the other one says no for both. */
function nextOf(part, app, other) {
  const pair = pairOf(part, app, other), verdict = judge(pair), n = pair.runs.length, name = beside(part, app, other);
  if (verdict === 'yes' || verdict === 'no' || judgeBoth(part, app, other) === 'no') return null;
  if (!pair.is_measured) return [1, `Run ${name}: ${isKnown(pair.slowdown) ? 'so far it is only predicted' : 'nothing is known of it'}.`];
  if (verdict === 'disturbed') {
    const isDrift = Math.abs(pair.drift || 0) > explained(pair) / 2;
    return [2, (isDrift ? `Repeat ${part.apps[app]} alone and ${name}: its drift` : `Repeat ${name} with a processor for each rank: what others took`) +
      ` may explain ${digits(100 * explained(pair))} points; measured: ${percent(pair.slowdown)}.`];
  }
  if (!isKnown(pair.lo)) return [1, `One more run of ${name} gives it an interval.`];
  const off = Math.abs(pair.slowdown - chosen.limit), half = (pair.hi - pair.lo) / 2;
  const more = Math.max(1, Math.ceil(n * (half / off) ** 2 - n));
  return more > MOST_RUNS ? [more, `${name} is at the limit: even ${MOST_RUNS} more runs will not decide it.`]
    : [more, `About ${plural(more, 'more run')} of ${name} decide${more === 1 ? 's' : ''} it.`];
}

function next(part) {
  const found = part.apps.flatMap((_, app) => part.apps.map((_, other) => part.pairs.length ? nextOf(part, app, other) : null))
    .filter(Boolean).sort((a, b) => a[0] - b[0]);
  if (!part.pairs.length) return null;
  const shown = found.slice(0, 5).map(([, words]) => element('li', null, words));
  return element('div', null, element('h3', null, 'What to measure next' + (part.placement ? ': ' + part.placement : '')),
    found.length ? element('ul', null, shown, found.length > 5 ? element('li', null, `And ${found.length - 5} more that are not decided.`) : null)
      : element('p', null, 'Nothing: every pair is decided at this limit.'));
}

function groups(part) {
  if (!part.groups.length) return null;
  const item = (members, number) => {
    const both = members.flatMap(a => members.filter(b => b !== a).map(b => pairOf(part, a, b)));
    const worst = both.sort((a, b) => (b.slowdown || 0) - (a.slowdown || 0))[0];
    const [shade, style] = worst ? shadeOf(worst) : ['fine', null];
    const isDisturbed = both.some(pair => judge(pair) === 'disturbed');
    return element('li', {class: `${shade} ${isDisturbed ? 'disturbed' : ''}`, style}, element('b', null, members.map(app => part.apps[app]).join(' + ')),
      element('br'), worst ? `at most ${percent(worst.slowdown)}` : 'alone');
  };
  return element('div', null, element('h3', null, 'Two at a time, with the least slowdown' + (part.placement ? ': ' + part.placement : '')),
    element('ul', {class: 'groups'}, part.groups.map(item)));
}

/* ---- charts ---- */

/** About n round numbers from lo to hi. */
function ticks(lo, hi, n, isLog) {
  if (isLog) {
    const all = [];
    for (let e = Math.floor(Math.log10(lo)); e <= Math.log10(hi); e++)
      for (const k of Math.log10(hi / lo) > 2.5 ? [1] : [1, 2, 5]) if (k * 10 ** e >= lo * 0.999 && k * 10 ** e <= hi * 1.001) all.push(k * 10 ** e);
    return all;
  }
  const rough = (hi - lo) / n || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= rough), all = [];
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + step * 1e-9; i++) all.push(i * step);
  return all;
}

/** A chart. series: {name, x, y, colour, mark: 'line' | 'dots' | 'steps', dashed, lo, hi, names}. Values are shown of
 *  the point that is nearest to the pointer. */
function chart({title, series, xLabel, yLabel, x: xRange, y: yRange, xLog, height}) {
  const W = 420, H = height || 230, L = 48, R = 10, T = 8, B = 40;
  const all = (key, range) => range || series.flatMap(s => [...s[key], ...(key === 'y' && s.lo ? [...s.lo, ...s.hi] : [])]).filter(isKnown);
  const xs = all('x', xRange), ys = all('y', yRange);
  const [x0, y0] = [Math.min(...xs), Math.min(...ys)], top = (range, values, lo) => Math.max(...values) + (range || xLog ? 0 : 0.03 * (Math.max(...values) - lo));
  const [x1, y1] = [top(xRange, xs, x0), top(yRange, ys, y0)];
  const scale = xLog ? Math.log : value => value;
  const px = value => L + (W - L - R) * (scale(value) - scale(x0)) / (scale(x1) - scale(x0) || 1);
  const py = value => H - B - (H - B - T) * (value - y0) / (y1 - y0 || 1);
  const made = shape('svg', {viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': title});
  for (const tick of ticks(x0, x1, 5, xLog))
    made.append(shape('line', {class: 'grid', x1: px(tick), x2: px(tick), y1: T, y2: H - B}),
      shape('text', {x: px(tick), y: H - B + 15, 'text-anchor': 'middle'}, digits(tick)));
  for (const tick of ticks(y0, y1, 4))
    made.append(shape('line', {class: 'grid', x1: L, x2: W - R, y1: py(tick), y2: py(tick)}),
      shape('text', {x: L - 5, y: py(tick) + 4, 'text-anchor': 'end'}, digits(tick)));
  made.append(shape('path', {class: 'axis', d: `M${L},${T}V${H - B}H${W - R}`}),
    shape('text', {x: (L + W - R) / 2, y: H - 6, 'text-anchor': 'middle'}, xLabel));
  for (const s of series) drawSeries(made, s, px, py);
  const value = element('div', {class: 'value soft'}, ' ');
  made.addEventListener('pointermove', event => {
    const box = made.getBoundingClientRect(), at = [(event.clientX - box.left) * W / box.width, (event.clientY - box.top) * H / box.height];
    value.textContent = nearest(series, at, px, py, xLabel, yLabel);
  });
  const keys = series.filter(s => s.name && !s.isExtra).map(s => [shape('svg', {width: 22, height: 10, viewBox: '0 0 22 10', 'aria-hidden': true, style: 'display:inline;width:22px'},
    shape(s.mark === 'dots' ? 'circle' : 'path', {...(s.mark === 'dots' ? {cx: 11, cy: 5, r: 3.5, fill: s.colour} : {d: 'M1,5H21', stroke: s.colour, class: 'curve', 'stroke-dasharray': s.dashed ? '5 3' : null})})), ` ${s.name}  `]);
  return element('figure', null, element('figcaption', null, element('b', null, title), ` · ${yLabel}  `, keys), made, value);
}

function drawSeries(svg, s, px, py) {
  const points = s.x.map((x, i) => [x, s.y[i], i]).filter(([x, y]) => isKnown(x) && isKnown(y));
  if (s.mark === 'dots') {
    for (const [x, y, i] of points) {
      if (s.lo && isKnown(s.lo[i])) svg.append(shape('line', {x1: px(x), x2: px(x), y1: py(s.lo[i]), y2: py(s.hi[i]), stroke: s.colour}));
      svg.append(shape('circle', {cx: px(x), cy: py(y), r: 3.2, fill: s.colour}));
    }
    return;
  }
  const d = points.map(([x, y], i) => (i ? (s.mark === 'steps' ? `H${px(x).toFixed(1)}V` : `L${px(x).toFixed(1)},`) : `M${px(x).toFixed(1)},`) + py(y).toFixed(1)).join('');
  svg.append(shape('path', {class: 'curve', d, stroke: s.colour, 'stroke-dasharray': s.dashed ? '5 3' : null}));
}

function nearest(series, [x, y], px, py, xLabel, yLabel) {
  let best = null, least = Infinity;
  for (const s of series)
    s.x.forEach((at, i) => {
      if (!isKnown(at) || !isKnown(s.y[i])) return;
      const off = (px(at) - x) ** 2 + (py(s.y[i]) - y) ** 2;
      if (off < least) [best, least] = [[s, i], off];
    });
  if (!best) return ' ';
  const [s, i] = best, interval = s.lo && isKnown(s.lo[i]) ? ` (${digits(s.lo[i])} to ${digits(s.hi[i])})` : '';
  return `${s.names ? s.names[i] : s.name || ''}: ${xLabel} ${digits(s.x[i], 4)}, ${yLabel} ${digits(s.y[i], 4)}${interval}`;
}

/** The share of values up to each, of quantiles at equal distances in rank. */
function distribution(name, values, colour) {
  return {name, x: values, y: values.map((_, i) => 100 * (i + 1) / values.length), colour, mark: 'steps'};
}

/* ---- tables ---- */

/** A table that a click on a head sorts. columns: [head, row => value, value => text]; numbers stand right. */
function table(caption, columns, rows, sortedBy) {
  let by = sortedBy === undefined ? -1 : sortedBy, direction = 1;
  const body = element('tbody');
  const heads = columns.map(([head], i) => element('th', {scope: 'col', class: typeof columns[i][2] === 'function' ? 'number' : null},
    element('button', {type: 'button', onclick: () => { direction = by === i ? -direction : 1; by = i; show(); }}, head)));
  function show() {
    const order = [...rows];
    if (by >= 0) order.sort((a, b) => {
      const [x, y] = [columns[by][1](a), columns[by][1](b)];
      if (!isKnown(x) || !isKnown(y)) return isKnown(x) ? -1 : isKnown(y) ? 1 : 0;
      return direction * (typeof x === 'number' ? x - y : String(x).localeCompare(String(y)));
    });
    heads.forEach((head, i) => head.setAttribute('aria-sort', i === by ? (direction > 0 ? 'ascending' : 'descending') : 'none'));
    body.replaceChildren(...order.map(row => element('tr', null, columns.map(([, value, text]) => text
      ? element('td', {class: 'number'}, text(value(row), row)) : element('td', null, String(value(row)))))));
  }
  show();
  return wide(caption, element('table', null, element('caption', null, caption),
    element('thead', null, element('tr', null, heads)), body));
}

/* ---- one cell: the passes behind it ---- */

function detail() {
  const {part, app, with: other} = chosen;
  if (!part) return null;
  const pair = pairOf(part, app, other), alone = part.alone[app];
  const files = part.runs.filter(run => run[1] === 'runtime' && run[2] === part.apps[app] && run[3] === part.apps[other]);
  const series = [distribution('alone', alone.passes_s, 'var(--idle)'), distribution(`beside ${part.apps[other]}`, pair.passes_s, 'var(--beside)')];
  const rows = [...alone.runs.map((run, i) => ['alone', i + 1, ...run, '']), ...pair.runs.map((run, i) =>
    ['beside ' + part.apps[other], i + 1, ...run, files.length === pair.runs.length ? files[i][0] : ''])];
  return element('section', {id: 'detail', 'aria-label': 'The runs behind a cell'},
    element('h3', null, beside(part, app, other) + (part.placement ? ', ' + part.placement : '')),
    element('p', null, describe(part, app, other)),
    element('div', {class: 'side'},
      series.some(s => s.x.length) ? chart({title: 'Passes', series: series.filter(s => s.x.length), xLabel: 'time of a pass (s)', yLabel: 'passes up to it (%)', y: [0, 100]}) : null,
      rows.length ? table('Runs', [['application', row => row[0]], ['run', row => row[1], count], ['passes', row => row[2], count],
        ['mean (s)', row => row[3], x => digits(x, 4)], ['file', row => row[4]]], rows) : null,
      part.models ? table('Predicted', [['model', m => m.key], ['slowdown', m => m.predicted[app * part.apps.length + other][0], percent],
        ['interval (%)', m => m.predicted[app * part.apps.length + other], p => span(p[1], p[2])]], part.models) : null));
}

/* ---- what each application uses, suffers, tolerates ---- */

function facts(part, app) {
  const load = (part.loads || [])[1 + app] || {}, times = (part.times || [])[app], all = part.apps.map((_, i) => i);
  const mean_of = list => mean(list.map(pair => pair.slowdown).filter(isKnown));
  return {app, name: part.apps[app], waiting: load.waiting || [], counters: (load.counters || [])[0],
    suffers: part.pairs.length ? mean_of(all.map(other => pairOf(part, app, other))) : null,
    disturbs: part.pairs.length ? mean_of(all.map(other => pairOf(part, other, app))) : null,
    network: times && times.bars.length ? times.bars[0].parts[3] : null,
    tolerance: (part.tolerance[app] || {}).tolerance_us || []};
}

function card(part, app, ranges) {
  const idle = part.probes[0], own = part.probes[1 + app], windows = own.windows || [];
  const ends = windows.flatMap(w => [w[0], w[1]]), busy = mean(windows.map(w => w[5]));
  const latencies = [idle, own].filter(p => p.us.length).map(p => distribution(p === idle ? 'idle network' : 'beside it', p.us, p === idle ? 'var(--idle)' : 'var(--beside)'));
  if (!own.us.length) return element('div', {class: 'card'}, element('h3', null, part.apps[app]), element('p', {class: 'missing'}, 'The network was not probed beside it.'));
  return element('div', {class: 'card'}, element('h3', null, part.apps[app]),
    chart({title: 'Latency of a small message', series: latencies, xLabel: 'latency (µs)', yLabel: 'probes up to it (%)', xLog: true, x: ranges.us, y: [0, 100], height: 180}),
    windows.length ? chart({title: 'Use of the network in time', series: [{name: '', x: ends, y: windows.flatMap(w => [w[4], w[4]]).map(u => u === null ? null : 100 * u), colour: 'var(--beside)', mark: 'line'}],
      xLabel: 'time (s)', yLabel: 'by waiting (%)', y: [0, 100], height: 150}) : null,
    isKnown(busy) ? element('p', {class: 'soft'}, `Busy in ${share(busy)} of the time: half of the messages wait longer than nine of ten do on the idle network.` +
      (own.late ? ` ${own.late} probes were late.` : '')) : null);
}

function applications(part) {
  const known = part.probes.flatMap(p => p.us).filter(isKnown), ranges = {us: known.length ? [Math.min(...known), Math.max(...known)] : null};
  const interval = (value, row) => isKnown(value) ? `${share(value)} (${span(row.waiting[1], row.waiting[2])})` : '–';
  return element('section', {id: 'applications'}, element('h2', null, 'What each application uses and suffers' + (part.placement ? ': ' + part.placement : '')),
    part.probes[0].us.length ? null : element('p', {class: 'missing'}, 'The idle network was not probed, so that uses are not known.'),
    table('Applications', [['application', f => f.name], ['uses of the network', f => f.waiting[0], interval],
      ['by counters', f => f.counters, share], ['suffers, mean', f => f.suffers, percent], ['disturbs, mean', f => f.disturbs, percent],
      ['of its time in the network', f => f.network, share], ['tolerates (µs, +1 %)', f => f.tolerance[0], x => digits(x, 2)]],
    part.apps.map((_, app) => facts(part, app))),
    element('p', {class: 'soft'}, 'Use by waiting: from how often a probe found the network busy' + (part.facts.some(([key]) => key === 'calibration') ?
      ', calibrated by configurations of known load; for these it is ' +
      `off by ${digits(100 * part.waiting_rms, 2)} points (root mean square).` : '. How far it is off is not known: no load of compressionb was measured.')),
    folded('Latencies and phases of each application', element('div', {class: 'cards'}, part.apps.map((_, app) => card(part, app, ranges)))),
    times(part));
}

const partNames = [['compute', 'computing'], ['stack', 'software of MPI'], ['sync', 'waiting for other ranks'], ['network', 'network']];
function bar(shares) {
  let x = 0;
  const boxes = shares.map((s, i) => shape('rect', {x: 400 * (x += s, x - s), width: 400 * s, y: 0, height: 16, fill: `var(--${partNames[i][0]})`}));
  return shape('svg', {viewBox: '0 0 400 16', width: 300, height: 12, preserveAspectRatio: 'none', role: 'img',
    'aria-label': shares.map((s, i) => `${partNames[i][1]} ${share(s)}`).join(', ')}, boxes);
}

function times(part) {
  if (!part.times) return null;
  const heads = ['application', 'on the network', 'parts of the time', 'in the network', 'run time', ''];
  const rows = part.times.flatMap(({bars, no_network_gain: gain, why}, app) => bars.length ? bars.map((one, i) => element('tr', null,
    i ? null : element('th', {scope: 'rowgroup', rowspan: bars.length}, part.apps[app]), element('td', null, one.network), element('td', null, bar(one.parts)),
    element('td', {class: 'number'}, share(one.parts[3])), element('td', {class: 'number'}, digits(one.runtime_s) + ' s'),
    element('td', null, i || !isKnown(gain) ? '' : `without a network ${share(gain)} less time`)))
    : [element('tr', null, element('th', {scope: 'row'}, part.apps[app]), element('td', {colspan: 5}, why || 'not known'))]);
  return folded('Where the time of each application goes, alone',
    element('p', {class: 'soft'}, 'Simulated from its trace: as packets that queue at ports, without contention (alpha-beta), without a network. ' +
      'The critical path is what must become faster for the run to become faster.',
    partNames.map(([key, name]) => [element('span', {class: 'whole'}, element('span', {class: 'key', style: `background: var(--${key})`}), name), ' '])),
    wide('Where the time goes', element('table', null, element('thead', null, element('tr', null, heads.map(head => element(head ? 'th' : 'td', head ? {scope: 'col'} : null, head)))),
      element('tbody', null, rows))));
}

/* ---- latency tolerance ---- */

function tolerance(part) {
  const rows = part.tolerance.map((t, app) => ({...t, app: part.apps[app]})).filter(t => t.tolerance_us || t.points || t.why || t.why_not_measured);
  const usable = rows.filter(t => t.tolerance_us);
  if (!rows.some(t => t.tolerance_us || t.points || t.why_not_measured)) return null;
  const measured = rows.flatMap(({app, rrmse, measured_tolerance: all}) => (all || []).map(([by, at, lo, hi, predicted]) => ({app, rrmse, by, measured: at, lo, hi, predicted})));
  const curves = rows.filter(t => t.points || t.added_us).map(t => {
    const series = t.points ? [{name: 'predicted', x: t.points.map(p => p[0]), y: t.points.map(p => p[4]), colour: 'var(--beside)', mark: 'line'},
      {name: 'measured', x: t.points.map(p => p[0]), y: t.points.map(p => p[1]), lo: t.points.map(p => p[2]), hi: t.points.map(p => p[3]), colour: 'var(--ink)', mark: 'dots'}]
      : [{name: 'predicted', x: t.added_us, y: t.runtime_s.map(s => 100 * (s / t.runtime_s[0] - 1)), colour: 'var(--beside)', mark: 'line'}];
    const top = Math.max(...series.flatMap(s => [...s.y, ...(s.hi || [])]).filter(isKnown));
    return chart({title: t.app, series, xLabel: 'added latency (µs)', yLabel: t.points ? 'time of a pass (s)' : 'longer (%)', y: [0, top], height: 190});
  });
  return element('section', {id: 'tolerance'}, element('h2', null, 'How much latency each tolerates' + (part.placement ? ': ' + part.placement : '')),
    usable.length ? table('Added latency of every message that makes it longer', [['application', t => t.app], ...part.thresholds.map((threshold, i) =>
      [`by ${digits(100 * threshold)} % (µs)`, t => t.tolerance_us[i], x => digits(x, 2)])], usable) : null,
    rows.filter(t => t.why || t.why_not_measured).map(t => element('p', {class: 'missing'}, `${t.app}: ${t.why || t.why_not_measured}.`)),
    measured.length ? table('Measured at several latencies', [['application', m => m.app], ['longer by', m => m.by, share], ['measured (µs)', m => m.measured, x => digits(x, 3)],
      ['95 % interval (µs)', m => m.lo, (_, m) => isKnown(m.lo) ? `${digits(m.lo)} to ${isKnown(m.hi) ? digits(m.hi) : 'beyond'}` : '–'], ['predicted (µs)', m => m.predicted, x => digits(x, 3)],
      ['run times off by, rms', m => m.rrmse, share]], measured) : null,
    element('p', {class: 'soft'}, 'Predicted from traces, as crosstalk tolerance --serialize-nic does; the time of the whole program counts.'),
    folded('Run time over added latency', element('div', {class: 'cards'}, curves)));
}

/* ---- models ---- */

function modelChart(part, key) {
  const model = part.models.find(m => m.key === key), n = part.apps.length, measured = part.pairs.map((_, i) => part.measured[i]);
  const known = measured.map((m, i) => i).filter(i => isKnown(measured[i]) && isKnown(model.predicted[i][0]));
  if (!known.length) return element('p', {class: 'missing'}, 'It predicts no pair that was measured.');
  const values = known.flatMap(i => [100 * measured[i], 100 * model.predicted[i][0]]), ends = [Math.min(0, ...values), Math.max(...values)];
  return element('div', {class: 'side'}, chart({title: `Predicted by ${key}`, xLabel: 'measured slowdown (%)', yLabel: 'predicted (%)', height: 300, series: [
    {name: 'equal', x: ends, y: ends, colour: 'var(--idle)', mark: 'line', dashed: true},
    {name: 'a pair', x: known.map(i => 100 * measured[i]), y: known.map(i => 100 * model.predicted[i][0]), colour: 'var(--beside)', mark: 'dots',
      names: known.map(i => beside(part, Math.floor(i / n), i % n))}]}),
  table('Pairs, the worst first', [['pair', i => beside(part, Math.floor(i / n), i % n)], ['measured', i => measured[i], percent],
    ['predicted', i => model.predicted[i][0], percent], ['interval (%)', i => model.predicted[i][1], (_, i) => span(model.predicted[i][1], model.predicted[i][2])],
    ['off, points', i => -Math.abs(model.predicted[i][0] - measured[i]), x => points(-x)]], known, 4));
}

function degradation(part, app) {
  const under = part.under[app], n = part.apps.length, loads = part.loads.slice(1 + n), run = x => isKnown(x) ? 100 * x : null;
  const waiting = load => load.waiting ? 100 * load.waiting[0] : null;
  return chart({title: `Slowdown of ${part.apps[app]}`, xLabel: 'use of the network by the load, by waiting (%)', yLabel: 'slowdown (%)', height: 300, series: [
    {name: 'configurations', names: loads.map(load => load.name), x: loads.map(waiting), y: under.configs.map(c => run(c[0])),
      lo: under.configs.map(c => run(c[1])), hi: under.configs.map(c => run(c[2])), colour: 'var(--idle)', mark: 'dots'},
    {name: 'applications', names: part.apps, x: part.loads.slice(1, 1 + n).map(waiting), y: part.apps.map((_, other) => run(part.measured[app * n + other])), colour: 'var(--beside)', mark: 'dots'},
    {name: 'fit', x: under.curve.map(p => 100 * p[0]), y: under.curve.map(p => 100 * p[1]), colour: 'var(--idle)', mark: 'line', dashed: true}]});
}

/** A place whose content a select changes. */
function switchable(label, options, value, make) {
  const place = element('div', null, make(value));
  return [element('p', null, select(label, options, value, chosenValue => place.replaceChildren(make(chosenValue)))), place];
}

function models(part) {
  if (!part.models) return null;
  const name = i => isKnown(i) ? beside(part, Math.floor(i / part.apps.length), i % part.apps.length) : '–';
  const rows = [...part.models.filter(m => m.pairs), ...(part.repeated ? [{key: 'run to run', ...part.repeated}] : [])];
  const hasLoads = part.apps.some((_, app) => part.under[app].configs.some(c => isKnown(c[0])));
  const cell_of = u => u ? (isKnown(u[1]) ? `${share(u[0])} (${span(u[1], u[2])})` : share(u[0])) : '–';
  const estimate = (head, key) => [head, load => load[key] ? load[key][0] : null, (_, load) => cell_of(load[key])];
  return folded('For modellers: how good predictions are' + (part.placement ? ', ' + part.placement : ''),
    rows.length ? table('Errors of the models, |predicted − measured|, points of slowdown', [['model', m => m.key], ['pairs', m => m.pairs, count],
      ['mean', m => m.mean, points], ['median', m => m.median, points], ['largest', m => m.max, points],
      ['where', m => name(m.worst)], ['|ln| of the times', m => m.log_mean, value => isKnown(value) ? value.toFixed(3) : '–'], ['wrong yes', m => m.wrongly_allowed, count],
      ['wrong no', m => m.wrongly_refused, count], ['mean, both left out', m => m.left_out_mean, points],
      ['inside interval then', m => m.left_out_covered, share], ['its width', m => m.left_out_width, points]], rows, 2)
      : element('p', {class: 'missing'}, 'No pair of applications was run beside each other, so that there is nothing to compare predictions with.'),
    element('p', {class: 'soft'}, `Where a slowdown was not measured, the page takes ${part.model}${part.why_model ? ': ' + part.why_model : ''}. ` +
      'none says no slowdown, multiplicative takes rows and columns of the other co-runs: a model must do better. No model can do better than one run after another.'),
    part.models.length ? switchable('Model', part.models.map(m => [m.key, m.key]), part.model, key => modelChart(part, key)) : null,
    hasLoads ? switchable('Application', part.apps.map((app, i) => [i, app]), 0, app => degradation(part, Number(app))) : null,
    part.several.length ? table('Slowdown beside several at once', [['application', s => s.app], ['beside', s => s.with], ['measured', s => s.measured, percent],
      [`predicted by ${part.model}`, s => s.predicted, percent]], part.several) : null,
    table('Use of the network by each load', [['load', load => load.name], ['probes', load => load.probes, count], ['mean latency (µs)', load => load.mean_us, count],
      estimate('counters', 'counters'), estimate('by waiting', 'waiting'), estimate('by delay', 'delay'), estimate('pk', 'pk')], part.loads));
}

/* ---- provenance ---- */

function provenance(part) {
  const file = parts.indexOf(part) === 0 && data.file ? [element('h3', null, 'Campaign file'), element('pre', {tabindex: 0}, data.file)] : [];
  return folded('What was measured where' + (part.placement ? ': ' + part.placement : ''),
    element('table', {class: 'facts'}, element('tbody', null, part.facts.map(([key, text]) => element('tr', null, element('th', {scope: 'row'}, key), element('td', null, text))))),
    part.posterior ? table('Parameters of the network, by crosstalk calibrate', ['parameter', 'most likely', 'from', 'to', 'before: from', 'to']
      .map((head, i) => [head, row => row[i]]), part.posterior) : null,
    folded(plural(part.runs.length, 'run'), table('Runs', ['run', 'kind', 'application', 'beside', 'started'].map((head, i) => [head, run => run[i]]), part.runs)),
    file, element('p', {class: 'soft'}, `Rows of the runs as CSV: crosstalk export ${data.directory}`));
}

/** Each once; one that is not of all placements with the name of its own. */
function warnings() {
  const isOfAll = text => parts.every(part => part.warnings.includes(text));
  const all = [...new Set([...data.warnings, ...parts.flatMap(part =>
    part.warnings.map(text => isOfAll(text) ? text : `${part.placement}: ${text}`))])];
  return all.length ? element('section', {id: 'warnings'}, element('h2', null, 'Warnings'), element('ul', null, all.map(text => element('li', null, text)))) : null;
}

/* ---- the whole ---- */

const limits = [...new Set([0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200].map(x => x / 100).concat(data.limit))].sort((a, b) => a - b);

function showFirst() {
  const [kind, words] = statusOf();
  byId('status').className = kind;
  byId('status').textContent = words;
  byId('question').replaceChildren(...parts.map(answerOf), element('p', {class: 'soft'}, data.network ? `Network: ${data.network}. ` : '',
    `Yes: neither is slowed by more than ${digits(100 * chosen.limit)} %, by the whole interval of ${digits(100 * data.level)} %.`));
  byId('matrices').replaceChildren(...parts.map(matrix), element('div', {class: 'next'}, parts.map(part => [groups(part), next(part)])));
  if (byId('legend')) byId('legend').replaceChildren(legend());
  const shown = detail();
  byId('place').replaceChildren(...(shown ? [shown] : []));
}

/** The cell and the limit are in the address, so that a link leads there. */
function choose(change) {
  Object.assign(chosen, change);
  showFirst();
  const at = chosen.part ? `&cell=${parts.indexOf(chosen.part)},${chosen.app},${chosen.with}` : '';
  try { history.replaceState(null, '', `#limit=${digits(100 * chosen.limit)}${at}`); } catch (_) { /* where it may not be changed */ }
  const pressed = document.querySelector('.cell[aria-pressed=true]');
  if (change.part && pressed) pressed.focus({preventScroll: true});
  if (change.part) byId('detail').scrollIntoView({block: 'nearest'});
}

function readAddress() {
  const found = new URLSearchParams(location.hash.slice(1)), limit = Number(found.get('limit')) / 100;
  const [part, app, other] = (found.get('cell') || '').split(',').map(Number);
  if (limit > 0 && limit < 10) chosen.limit = limit;
  if (parts[part] && parts[part].pairs.length && parts[part].apps[app] !== undefined && parts[part].apps[other] !== undefined)
    Object.assign(chosen, {part: parts[part], app, with: other});
}

function controls() {
  const words = element('output', null, ''), at = () => limits.reduce((best, x, i) => Math.abs(x - chosen.limit) < Math.abs(limits[best] - chosen.limit) ? i : best, 0);
  const say = () => { words.textContent = ` ${digits(100 * chosen.limit)} %`; slider.setAttribute('aria-valuetext', words.textContent); };
  const slider = element('input', {type: 'range', min: 0, max: limits.length - 1, step: 1, value: at(),
    oninput: event => { choose({limit: limits[event.target.value]}); say(); }});
  say();
  return element('div', {class: 'controls'}, element('label', null, 'Acceptable slowdown ', slider, words),
    select('Order', [['name', 'by name'], ['suffers', 'suffers most first'], ['disturbs', 'disturbs most first']], chosen.order, order => choose({order})));
}

readAddress();
const hints = parts.some(part => part.pairs.length) ? [controls(), element('div', {id: 'legend'}),
  element('div', {id: 'hover', class: 'soft', 'aria-hidden': true}, 'Point at a cell for its numbers; a click shows the passes behind it.')] : [];
byId('pictures').replaceWith(...hints, element('div', {id: 'matrices', class: 'side'}), element('div', {id: 'place'}));
showFirst();
byId('rest').replaceChildren(...[warnings(), parts.map(applications), parts.map(tolerance), parts.map(models), parts.map(provenance)].flat().filter(Boolean));
})();
