/* Draws what the watch says, as it comes (server-sent events). Names come from files: texts are only ever set as text,
   no markup is made of strings. */
'use strict';
(() => {
const byId = id => document.getElementById(id);
let fabric = null, state = null, points = [], heard = 0, lost = 0; /* state: the answer of crosstalk watch --format json */

/* ---- elements ---- */

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== null && value !== false) made.setAttribute(key, value);
  made.append(...children.flat(3).filter(child => child !== null && child !== undefined));
  return made;
}
const element = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const shape = (tag, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
/** Replaces what is there only where it has changed, so that reading and selecting are not disturbed. */
function show(place, ...children) {
  const made = element('div', null, ...children).childNodes, there = place.childNodes;
  if (made.length !== there.length || Array.from(made).some((one, i) => !one.isEqualNode(there[i]))) place.replaceChildren(...made);
}

/* ---- words ---- */

const isKnown = value => value !== null && value !== undefined;
const plural = (n, word) => n + ' ' + word + (n === 1 ? '' : 's');
const digits = value => isKnown(value) ? String(Number(value.toPrecision(3))) : '–';
const micro = value => isKnown(value) ? digits(1e6 * value) : '–';
const utc = seconds => isKnown(seconds) ? new Date(1000 * seconds).toISOString().replace('T', ' ').slice(0, 19) + ' UTC' : 'not known';
function ago(seconds) {
  if (!isKnown(seconds)) return '';
  for (const [size, word] of [[86400, 'day'], [3600, 'hour'], [60, 'minute']])
    if (seconds >= 2 * size) return plural(Math.floor(seconds / size), word);
  return plural(Math.max(0, Math.round(seconds)), 'second');
}
const lasting = () => state.alarms.filter(alarm => alarm.ended === 'lasts');
const since = alarm => Date.parse(alarm.since.replace(' UTC', 'Z').replace(' ', 'T')) / 1000;
const classWord = (switches, isRound, bytes) => `${plural(switches, 'switch').replace('switchs', 'switches')}, ${bytes} B, ${isRound ? 'there and back' : 'one way'}`;

/* ---- first screen ---- */

function drawStatus() {
  const sick = lasting(), status = byId('status');
  const [kind, text] = sick.length ? ['bad', sick.slice(0, 3).map(alarm => alarm.sentence).join('. ') + '.' + (sick.length > 3 ? ` And ${sick.length - 3} more.` : '')]
    : !state.has_learned ? ['', 'Nothing can be said yet. Not known: ' + (state.unknown[0] || 'what is healthy') + '.']
    : ['good', `Nothing is sick, at ${digits(state.false_alarms_per_day)} false alarms a day.` + (state.alarms.length ? ' What was is over.' : '')];
  if (status.textContent !== text) status.textContent = text;
  status.className = kind;
  document.title = (sick.length ? `(${sick.length}) ` : '') + 'crosstalk watch';
}
function drawFresh() {
  const fresh = byId('fresh'), age = state && isKnown(state.newest_unix_s) ? state.now_unix_s - state.newest_unix_s : null;
  const silent = (Date.now() - heard) / 1000;
  const [isBad, text] = lost || (heard && silent > 15)
    ? [true, `The watch does not answer${heard ? `; what is here is ${ago(silent)} old` : ''}.`]
    : !state ? [false, 'Waits for what the watch says.']
    : age === null ? [true, 'No probe was read yet.']
    : [age > 30, age > 30 ? `Nothing is newer than ${utc(state.newest_unix_s)}: do the probers run? What is here is ${ago(age)} old.` : `Probes until ${utc(state.newest_unix_s)}.`];
  if (fresh.textContent !== text) fresh.textContent = text;
  fresh.className = isBad ? 'bad' : 'soft';
}
function drawAlarms() {
  const one = alarm => {
    const isOver = alarm.ended !== 'lasts';
    return element('div', {class: isOver ? 'alarm over' : 'alarm'},
      element('p', {class: 'what'}, alarm.sentence + '.'),
      element('p', null, `Why: ${alarm.reason}.`.replace(/[?][.]$/, '?')),
      element('p', {class: 'soft'}, `Since ${alarm.since}, found ${ago(alarm.raised_after_s)} later` + (isOver ? `; over since ${alarm.ended}.` : '; it lasts.')));
  };
  show(byId('alarms'), state.alarms.length ? state.alarms.slice(0, 50).map(one) : element('p', null, 'None today.'),
    state.alarms.length > 50 ? element('p', {class: 'soft'}, `${state.alarms.length - 50} older ones are left out.`) : null);
}
function drawPrices() {
  const places = new Map(state.alarms.map(alarm => [alarm.id, alarm.where]));
  const percent = share => isKnown(share) ? digits(100 * share) : '–';
  const interval = price => price.slowdown_ci.every(isKnown) ? price.slowdown_ci.map(percent).join(' to ') : '–';
  byId('costs').hidden = !state.prices.length;
  show(byId('prices'), element('div', {class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'prices'}, element('table', null,
    element('thead', null, element('tr', null, ['place', 'application', 'longer, %', 'interval', 'how'].map(word => element('th', {scope: 'col'}, word)))),
    element('tbody', null, state.prices.map(price => element('tr', null, element('td', null, places.get(price.alarm) || '–'),
      element('td', null, price.application), element('td', {class: 'number'}, percent(price.slowdown)),
      element('td', {class: 'number'}, interval(price)), element('td', null, price.how)))))));
}

/* ---- fabric ---- */

const loadClass = share => !isKnown(share) ? '' : share < 0.25 ? ' l0' : share < 0.5 ? ' l1' : share < 0.75 ? ' l2' : ' l3';
function halfWay(a, b) { /* of a link, from a: right of its middle line, so that both directions are seen */
  const dx = b.x - a.x, dy = b.y - a.y, long = Math.hypot(dx, dy) || 1, off = 2.2;
  const x = -dy / long * off, y = dx / long * off;
  if (Math.abs(dy) < 1 && fabric.arc) {
    const middle = a.y - fabric.arc * Math.abs(dx) / 2;
    return `M${a.x + x} ${a.y + y}Q${(a.x + b.x) / 2} ${middle + y} ${b.x + x} ${b.y + y}`;
  }
  return `M${a.x + x} ${a.y + y}L${b.x + x} ${b.y + y}`;
}
function drawFabric() {
  const loads = state.loads.map(load => load.busy), loadKnown = loads.some(isKnown);
  byId('key').textContent = `${fabric.name || 'no topology'}: ` + (isKnown(fabric.n_links) ? `${plural(fabric.n_hosts, 'host')}, ${fabric.n_switches} switches, ${plural(fabric.n_links, 'link')}. ` : '') +
    'Thick and orange: a suspect, in the direction that is sick. ' + (loadKnown ? 'Blue: less than a quarter busy; green: half; yellow: three quarters; red: more.'
      : 'Loads of links are not known: all are grey.') + ' Dashed: a host that is away.';
  if (!fabric.vertices) {
    show(byId('fabric'), element('p', null, 'No picture: ' + (fabric.name ? 'the fabric has too many links. Suspects are named above.' : 'there is no topology.')));
    return;
  }
  const suspects = new Map(), sickHosts = new Set(), nodeOf = new Map(state.hosts_seen.map(host => [host.host, host.node]));
  const away = new Set(state.hosts_seen.filter(host => !host.present).map(host => host.node));
  for (const alarm of lasting()) {
    if (alarm.kind === 'host') sickHosts.add(nodeOf.get(alarm.where));
    for (const one of alarm.suspects) suspects.set(Number(one), alarm.sentence);
  }
  const isDrawn = v => v >= fabric.n_hosts || fabric.has_hosts, ways = [], marked = [];
  fabric.links.forEach((ends, link) => {
    if (!ends.every(isDrawn)) return;
    for (const back of [0, 1]) {
      const from = fabric.vertices[ends[back]], to = fabric.vertices[ends[1 - back]], d = 2 * link + back;
      (suspects.has(d) ? marked : ways).push(shape('path', {d: halfWay(from, to), class: 'way' + loadClass(loads[d]) + (suspects.has(d) ? ' suspect' : '')},
        shape('title', null, suspects.get(d) || `${from.name} to ${to.name}` + (isKnown(loads[d]) ? `: ${Math.round(100 * loads[d])} % busy` : ''))));
    }
  });
  const few = fabric.vertices.filter((_, v) => isDrawn(v)).length <= 120;
  const vertices = fabric.vertices.map((vertex, v) => {
    if (!isDrawn(v)) return null;
    const isHost = v < fabric.n_hosts, name = few ? vertex.name : '', wide = Math.max(10, isHost ? 10 : 8 + 7 * Math.min(12, name.length));
    const short = name.length > 12 ? name.slice(0, 11) + '…' : name;
    const kind = (isHost ? 'host' : 'box') + (sickHosts.has(vertex.name) ? ' suspect' : '') + (isHost && away.has(vertex.name) ? ' away' : '');
    const box = isHost ? shape('circle', {cx: vertex.x, cy: vertex.y, r: few ? 6 : 3, class: kind})
      : shape('rect', {x: vertex.x - wide / 2, y: vertex.y - 10, width: wide, height: 20, rx: 4, class: kind});
    return shape('g', null, shape('title', null, vertex.name + (away.has(vertex.name) ? ': away' : '')), box,
      short && shape('text', isHost ? {x: vertex.x + 4, y: vertex.y + 12, transform: `rotate(60 ${vertex.x + 4} ${vertex.y + 12})`}
        : {x: vertex.x, y: vertex.y + 4, 'text-anchor': 'middle'}, short));
  });
  const margin = 48, low = few && fabric.has_hosts ? 90 : 24, width = fabric.width + 2 * margin, height = fabric.depth + 24 + low;
  show(byId('fabric'), shape('svg', {viewBox: `${-margin} -24 ${width} ${height}`, width: Math.max(width, 0), height, role: 'img',
    'aria-label': `fabric ${fabric.name}: ` + (suspects.size || sickHosts.size ? lasting().map(alarm => alarm.sentence).join('. ') : 'no suspect')}, ways, marked, vertices));
}

/* ---- latency ---- */

function drawLatency() {
  const place = byId('latency'), series = new Map();
  const add = (time, switches, bytes, isRound, median) => {
    const key = classWord(switches, isRound, bytes);
    if (!series.has(key)) series.set(key, []);
    if (median > 0) series.get(key).push([time, median]);
  };
  points.forEach(point => add(...point));
  for (const one of state.classes) add(state.newest_unix_s, one.switches, one.bytes, one.way !== 'one way', one.median_s);
  const known = [...series].filter(([, values]) => values.length).slice(0, 6), all = known.flatMap(([, values]) => values);
  if (!all.length) return show(place, element('p', null, 'No small messages were measured yet.'));
  const healthy = new Map(state.classes.map(one => [classWord(one.switches, one.way !== 'one way', one.bytes), one.healthy_s]));
  const values = all.map(([, value]) => value).concat(known.map(([key]) => healthy.get(key)).filter(value => value > 0));
  const width = Math.min(900, Math.max(300, place.clientWidth)), height = 240, left = 56, base = height - 26;
  const end = Math.max(...all.map(([time]) => time)), begin = Math.min(end - 120, ...all.map(([time]) => time));
  const low = Math.log(Math.min(...values) / 1.15), high = Math.log(Math.max(...values) * 1.15);
  const x = time => (left + (width - left - 8) * (time - begin) / (end - begin)).toFixed(1);
  const y = value => (base - (base - 10) * (Math.log(value) - low) / (high - low)).toFixed(1);
  const ticks = [0, 1, 2, 3].map(i => Math.exp(low + (high - low) * (0.08 + 0.28 * i)));
  const at = time => new Date(1000 * time).toISOString().slice(11, 16);
  const curves = known.map(([key, values], i) => shape('g', null, shape('title', null, key),
    healthy.get(key) > 0 && shape('path', {class: `line healthy s${i}`, d: `M${left} ${y(healthy.get(key))}H${width - 8}`}),
    shape('path', {class: `line s${i}`, d: values.map(([time, value], k) => (k ? 'L' : 'M') + x(time) + ' ' + y(value)).join('')}),
    shape('circle', {class: `f${i}`, r: 3, cx: x(values[values.length - 1][0]), cy: y(values[values.length - 1][1])})));
  const marks = lasting().filter(alarm => since(alarm) >= begin).map(alarm => shape('path', {class: 'mark', d: `M${x(since(alarm))} 10V${base}`}, shape('title', null, alarm.sentence)));
  show(place, shape('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': 'median latency over time: the table has the numbers'},
    ticks.map(value => [shape('path', {class: 'grid', d: `M${left} ${y(value)}H${width - 8}`}), shape('text', {x: left - 6, y: Number(y(value)) + 4, 'text-anchor': 'end'}, micro(value))]),
    shape('text', {x: 2, y: 12}, 'µs'), shape('text', {x: left, y: height - 6}, at(begin)), shape('text', {x: width - 8, y: height - 6, 'text-anchor': 'end'}, at(end) + ' UTC'), marks, curves),
  element('p', {class: 'soft'}, 'Median of small messages, a point a minute; dashed: healthy; orange: since when there is an alarm.'),
  element('div', {class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'latencies'}, element('table', null,
    element('thead', null, element('tr', null, ['colour', 'path', 'median, µs', 'healthy', '99 %', 'healthy', 'probes'].map((word, i) => element('th', {scope: 'col', class: i > 1 ? 'number' : null}, word)))),
    element('tbody', null, state.classes.map(one => {
      const key = classWord(one.switches, one.way !== 'one way', one.bytes), i = known.findIndex(([name]) => name === key);
      return element('tr', null, element('td', null, i < 0 ? '' : shape('svg', {width: 12, height: 12, 'aria-hidden': 'true'}, shape('circle', {class: `f${i}`, cx: 6, cy: 6, r: 5}))),
        element('td', null, key), [micro(one.median_s), micro(one.healthy_s), micro(one.p99_s), micro(one.healthy_p99_s), String(one.probes)].map(text => element('td', {class: 'number'}, text)));
    })))));
}

/* ---- hosts, and what is not known ---- */

function drawHosts() {
  const away = state.hosts_seen.filter(host => !host.present), open = byId('hosts').querySelector('details[open]');
  const row = host => element('tr', null, element('td', null, host.host), element('td', null, host.present ? 'here' : 'away'),
    element('td', null, isKnown(host.seen_unix_s) ? utc(host.seen_unix_s) : 'never'));
  show(byId('hosts'), element('p', null, `${plural(state.hosts_seen.length, 'host')}: ${state.hosts_seen.length - away.length} here, ${away.length || 'none'} away.`),
    away.length ? element('p', null, 'Away: ' + away.slice(0, 20).map(host => host.host + (isKnown(host.seen_unix_s) ? `, last seen ${utc(host.seen_unix_s)}` : ', never seen')).join('; ') + (away.length > 20 ? `; and ${away.length - 20} more` : '') + '.') : null,
    element('details', {open: open ? '' : null}, element('summary', null, 'All hosts'), element('div', {class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'hosts'}, element('table', null,
      element('thead', null, element('tr', null, ['host', 'is', 'last heard'].map(word => element('th', {scope: 'col'}, word)))),
      element('tbody', null, state.hosts_seen.slice(0, 1024).map(row)))), state.hosts_seen.length > 1024 ? element('p', {class: 'soft'}, `${state.hosts_seen.length - 1024} more are left out.`) : null));
}
function drawUnknown() {
  const words = (state.notes || []).map(text => text.replace(/^Not known: (.)/, (_, first) => first.toUpperCase()));
  if (!state.prices.length) words.push('What faults cost applications: no prices were made.');
  show(byId('unknown'), [...words, 'Links behind adaptive routing, and queues of another traffic class: probes are UDP.'].map(text => element('li', null, text)));
}

function draw() {
  drawFresh();
  if (!fabric || !state) return;
  for (const part of [drawStatus, drawAlarms, drawFabric, drawPrices, drawLatency, drawHosts, drawUnknown]) part();
}

/* ---- events ---- */

function keepPoint() {
  const last = points.length ? points[points.length - 1][0] : 0;
  if (state.newest_unix_s < last + 60) return;
  for (const one of state.classes) points.push([state.newest_unix_s, one.switches, one.bytes, one.way !== 'one way', one.median_s, one.p99_s]);
  while (points.length && points[0][0] < state.newest_unix_s - 43200) points.shift();
}
function listen() {
  const events = new EventSource('/events');
  const on = (name, take) => events.addEventListener(name, event => { heard = Date.now(); lost = 0; take(JSON.parse(event.data)); });
  on('fabric', value => { fabric = value; });
  on('history', value => { points = value; });
  on('state', value => { state = value; if (isKnown(state.newest_unix_s)) keepPoint(); draw(); });
  events.onerror = () => {
    lost = lost || Date.now();
    drawFresh();
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 5000); /* a login that has ended, too */
  };
}
listen();
setInterval(drawFresh, 1000);
addEventListener('resize', draw);
})();
