// Makes a release of this checkout: `npm run release -- 1.0.1`. A person commits and tags it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { changeFiles, readChanges, releaseSection } from './changes.ts'

const [version = '', day = new Date().toISOString().slice(0, 10)] = process.argv.slice(2)
const project = process.cwd()
const at = (file: string) => path.join(project, file)

function giveUp(line: string): never {
  console.error(line)
  process.exit(1)
}

const parts = (text: string) => text.split('.').map(Number)
const isLater = (one: string, other: string) => {
  const [a, b] = [parts(one), parts(other)]
  const differs = [0, 1, 2].find((n) => a[n] !== b[n])
  return differs !== undefined && a[differs]! > b[differs]!
}

if (!/^\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(version)) giveUp('Say which version: npm run release -- 1.0.1')
if (!/^\d{4}-\d\d-\d\d$/.test(day)) giveUp(`${day} is no date such as 2026-12-01.`)
const manifest = readFileSync(at('package.json'), 'utf8')
const last = (JSON.parse(manifest) as { version: string }).version
if (!isLater(version, last)) giveUp(`${version} does not come after ${last}, the version in package.json.`)

const files = changeFiles(project)
if (files.length === 0) giveUp('There is nothing to release: changes/ holds no file.')
const changes = files.flatMap((file) => {
  try {
    return readChanges(file)
  } catch (error) {
    return giveUp((error as Error).message)
  }
})

const changelog = readFileSync(at('CHANGELOG.md'), 'utf8')
const first = changelog.search(/^## /m)
const [head, releases] =
  first < 0 ? [`${changelog.trimEnd()}\n\n`, ''] : [changelog.slice(0, first), changelog.slice(first)]
// npm writes the version in two places, each time right below the name.
const bumped = (text: string) =>
  text
    .replaceAll(`"name": "backstock",\n  "version": "${last}"`, `"name": "backstock",\n  "version": "${version}"`)
    .replaceAll(
      `"name": "backstock",\n      "version": "${last}"`,
      `"name": "backstock",\n      "version": "${version}"`,
    )
writeFileSync(at('package.json'), bumped(manifest))
writeFileSync(at('package-lock.json'), bumped(readFileSync(at('package-lock.json'), 'utf8')))
writeFileSync(at('CHANGELOG.md'), `${head}${releaseSection(version, day, changes)}\n${releases}`)
for (const file of files) rmSync(file)
const partnerApi = at('packages/server/src/areas/partner-api/released.json')
mkdirSync(path.dirname(partnerApi), { recursive: true })
writeFileSync(partnerApi, await partnerDescription())

/** The description of the partner API. From now on tests compare the API with it. No database is needed. */
async function partnerDescription(): Promise<string> {
  const { buildApp } = await import('../packages/server/src/app.ts')
  const { readConfig } = await import('../packages/server/src/config.ts')
  const { connect } = await import('../packages/server/src/db/connect.ts')
  const db = connect({ host: 'none' })
  const app = await buildApp(readConfig({ LOG_LEVEL: 'silent' }), db)
  const { body } = await app.inject('/api/partner/v1/openapi.json')
  await app.close()
  await db.close()
  return `${JSON.stringify(JSON.parse(body), null, 2)}\n`
}

console.log(`CHANGELOG.md and package.json name ${version} now. Read the changelog, then:

  git commit -am "Release ${version}"
  git tag -a v${version} -m "Backstock ${version}"
  git push --follow-tags`)
