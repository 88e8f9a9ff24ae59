import { readFileSync } from 'node:fs'

// Checks the licences of the libraries that are part of an installed Backstock. Tools that only build or test it are
// left out.
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
  'OFL-1.1',
  'PostgreSQL',
  'Zlib',
])

/** Libraries with other licences that somebody has checked, with the reason why each is allowed. */
const KNOWN = [
  [
    /^@img\/sharp-/,
    'LGPL-3.0-or-later',
    'libvips, a shared library of its own that is used as it is and may be exchanged',
  ],
  [/^lightningcss/, 'MPL-2.0', 'used as it is, and only to build the screens'],
  [/^png-js$/, 'none', 'its LICENSE file is the MIT licence'],
]

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const shipped = Object.entries(packages).filter(
  ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
)
const named = shipped.map(([path, { version, license }]) => ({
  name: path.replace(/^.*node_modules\//, ''),
  version,
  licence: license ?? 'none',
}))
const choices = (licence) =>
  licence
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .map((one) => one.split(' AND '))
const isKnown = ({ name, licence }) => KNOWN.some(([names, known]) => names.test(name) && licence.includes(known))
const surprises = named
  .filter((one) => !isKnown(one))
  .filter(({ licence }) => !choices(licence).some((all) => all.every((one) => ALLOWED.has(one))))

for (const [licence, list] of Object.entries(Object.groupBy(named, ({ licence }) => licence)))
  console.log(`${licence} (${list.length}): ${list.map(({ name, version }) => `${name} ${version}`).join(', ')}`)
for (const [names, licence, why] of KNOWN) console.log(`Known: ${names.source} (${licence}): ${why}`)
for (const { name, version, licence } of surprises) console.error(`Look at ${name} ${version}: ${licence}`)
process.exitCode = surprises.length ? 1 : 0
