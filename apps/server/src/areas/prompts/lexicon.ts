/** The lexicon of masking: the dictionaries of a worker, with the clinic's medical vocabulary and its own public names. */
import { type Lexicon, plainWord, sense, wordsOf } from '@ordinator/model/areas/prompts/lexicon'
import { medicineStems } from '@ordinator/model/areas/prompts/medicines'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { createHelper, onePerServer } from '#platform/helper.ts'
import { startThread } from '#platform/runner.ts'

const PROGRAM = new URL('./lexiconWorker.ts', import.meta.url)
/** The dictionary takes 60 MB, the lists of English words 15. */
const MEMORY_MB = 256
const LOOK_MS = 20_000
/** Loading takes a second: keep it between the calls of a working day. */
const IDLE_MS = 15 * 60_000
/** How long a vocabulary is used after the catalogue has changed. */
const VOCABULARY_MS = 10 * 60_000
const MAX_NAMES = 60_000

const helperOf = onePerServer((log) =>
  createHelper<string[], number[]>({
    name: 'lexicon',
    start: () => startThread(PROGRAM, { memoryMb: MEMORY_MB }),
    log,
    workMs: LOOK_MS,
    idleMs: IDLE_MS,
    limits: { running: 1, waiting: 100, person: { running: 1, waiting: 10 }, patienceMs: 60_000 },
    words: {
      tooHard: () => new Error('the lexicon exceeded its limits'),
      ownWait: 'Ваш предыдущий вопрос ещё готовится. Дождитесь его',
      crowded: 'Сейчас готовится слишком много вопросов. Повторите через минуту',
      busy: 'Сервер сейчас занят, и вопрос не подготовлен. Повторите через минуту',
    },
  }),
)

interface Vocabulary {
  medical: ReadonlySet<string>
  public: ReadonlySet<string>
}
const vocabularies = new WeakMap<object, { at: number; words: Promise<Vocabulary> }>()

/** Stem of a term of medicine, used in other cases in a text. */
export const stemOf = (word: string): string =>
  word.length > 5
    ? word.replace(
        /(?:ого|ему|ому|ыми|ими|ами|ями|ах|ях|ов|ев|ей|ой|ом|ем|ам|ям|ая|ую|ий|ый|ые|ие|ия|ии|ию|[аеиоуыэюяйь])$/u,
        '',
      )
    : word

/** Words of diagnoses, services, analyses and goods; and of the clinic's own names that everybody may read. */
async function readVocabulary(db: Queryable): Promise<Vocabulary> {
  const medical = await db.query<{ name: string }>(sql`
    (select "name" from dictionaries_terms where not "deleted" limit ${MAX_NAMES})
    union all (select concat_ws(' ', "nameService", "inn") as name from services where not "deleted" limit ${MAX_NAMES})
    union all (select "name" from laboratory_catalog where not "deleted" limit ${MAX_NAMES})
    union all (select "name" from laboratory_analytes where not "deleted" limit ${MAX_NAMES})
    union all (select "name" from specialities where not "deleted" limit ${MAX_NAMES})`)
  const open = await db.query<{ name: string }>(sql`
    select "nameFilial" as name from filials where not "deleted" union all select "shortName" from organizations where "kind" = 'own' and not "deleted"`)
  const words = (rows: { name: string }[]) => rows.flatMap(({ name }) => plainWord(name).match(/\p{L}{3,}/gu) ?? [])
  return { medical: new Set([...words(medical).map(stemOf), ...medicineStems]), public: new Set(words(open)) }
}

/**
 * Reads what a text's words mean.
 * @param app the server: its worker and vocabulary are kept
 * @param who key of the person, for the queue
 */
export async function lexiconFor(
  app: Parameters<typeof helperOf>[0] & { db: Queryable },
  text: string,
  who: number | string,
): Promise<Lexicon> {
  let kept = vocabularies.get(app)
  if (!kept || Date.now() - kept.at > VOCABULARY_MS) {
    kept = { at: Date.now(), words: readVocabulary(app.db) }
    vocabularies.set(app, kept)
    kept.words.catch(() => vocabularies.delete(app))
  }
  const words = wordsOf(text)
  const [bits, vocabulary] = await Promise.all([helperOf(app).run(words, who), kept.words])
  return lexiconOf(new Map(words.map((word, at) => [word, bits[at] ?? 0])), vocabulary)
}

/** Joins the dictionaries' bits with a vocabulary. */
export function lexiconOf(bits: ReadonlyMap<string, number>, vocabulary: Vocabulary): Lexicon {
  return (word) => {
    const own = vocabulary.public.has(word) ? sense.public : 0
    const medical = vocabulary.medical.has(stemOf(word)) || vocabulary.medical.has(word) ? sense.medical : 0
    return (bits.get(word) ?? 0) | own | medical
  }
}
