import { spawnSync } from 'node:child_process'
import { need } from '@ordinator/model/testing/needs'

const engines = spawnSync('openssl', ['engine', '-t', 'gost'], { encoding: 'utf8' }).stdout ?? ''

/** OpenSSL with the engine of the Russian algorithms, which real signatures take. */
export const gost = need('Подписи ГОСТ (libengine-gost-openssl)', engines.includes('[ available ]'))
