/** `npm run rotate-secret`: re-encrypts stored secrets of outside systems with a new `SECRET`, and replaces the old one. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCipher } from '#platform/cipher.ts'
import { type Config, ConfigError } from '#platform/config.ts'
import type { Db } from '#platform/db.ts'
import { reencrypt } from '#platform/secretColumns.ts'

/**
 * Re-encrypts in one transaction. A secret kept in `DATA_DIR` is replaced; one from the environment must be replaced by
 * the operator. An interrupted command is finished by the next one: the new secret is written to disk before the
 * transaction, and replaces the old one after it.
 * @returns how many values were re-encrypted, and how many could not be decrypted
 * @throws ConfigError
 */
export async function rotateSecret(config: Config, db: Db): Promise<{ changed: number; closed: number }> {
  const [path, waiting] = [join(config.dataDir, 'secret'), join(config.dataDir, 'secret.next')]
  if (!config.isSecretKept && !config.newSecret)
    throw new ConfigError('NEW_SECRET: задайте новый секрет, раз прежний задан в SECRET.')
  const begun = config.isSecretKept && existsSync(waiting) ? readFileSync(waiting, 'utf8').trim() : undefined
  const next = begun ?? config.newSecret ?? randomBytes(48).toString('base64url')
  if (next === config.secret) throw new ConfigError('NEW_SECRET: новый секрет совпадает с прежним.')
  if (config.isSecretKept) writeFileSync(waiting, `${next}\n`, { mode: 0o600 })
  const done = await reencrypt(db, createCipher(config.secret), createCipher(next))
  if (config.isSecretKept) renameSync(waiting, path)
  return done
}
