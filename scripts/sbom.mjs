/**
 * `npm run sbom [FILE]`: software bill of materials as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), from the lock
 * file and the installed packages, without the network. Prints to the terminal without a file. Scanners with a
 * vulnerability database (OSV-Scanner, Trivy, Dependency-Track) read it, even if the server has no internet access.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { packagesOf } from './packages.mjs'

const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`
const hashOf = (integrity) => {
  const [, algorithm, value] = /^(sha\d+)-(.+)$/.exec(integrity ?? '') ?? []
  return value
    ? [{ alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(value, 'base64').toString('hex') }]
    : []
}

export function sbom() {
  const components = packagesOf().map((one) => ({
    type: 'library',
    'bom-ref': purlOf(one),
    name: one.name,
    version: one.version,
    scope: one.isDev ? 'excluded' : one.isOptional ? 'optional' : 'required',
    hashes: hashOf(one.integrity),
    licenses: one.licence ? [{ expression: one.licence }] : [],
    purl: purlOf(one),
  }))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': own.name, name: own.name, version: own.version } },
    components,
  }
}

if (process.argv[1] === import.meta.filename) {
  const text = `${JSON.stringify(sbom(), null, 2)}\n`
  const [path] = process.argv.slice(2)
  if (path) writeFileSync(isAbsolute(path) ? path : join(process.env.INIT_CWD ?? process.cwd(), path), text)
  else process.stdout.write(text)
}
