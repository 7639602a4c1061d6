import { inSentence } from './format.ts'
/** What the screen of an entity shows of it, as data: the list, the form and the words follow. */
export interface Registry<N extends string = string> {
  /** Columns of the list, in their order; the title and the first fields unless told. */
  columns?: readonly N[]
  /** Fields of the form, in their order, or by sections; all that can be written unless told. */
  form?: readonly N[] | Readonly<Record<string, readonly N[]>>
  /** What stands there while there is nothing, and what to do about it. */
  empty: { title: string; text: string }
}

/** Of the word that names a record: «новая роль», «роль удалена». */
export type Gender = 'm' | 'f' | 'n'

const endings = {
  m: { fresh: 'Новый', made: 'создан', saved: 'сохранён', removed: 'удалён' },
  f: { fresh: 'Новая', made: 'создана', saved: 'сохранена', removed: 'удалена' },
  n: { fresh: 'Новое', made: 'создано', saved: 'сохранено', removed: 'удалено' },
} as const

/** What is said of a record: «Новая роль», «Роль создана», «Роль «Врач» удалена». */
export function wordsOf({ label: [label], gender }: { label: readonly [string, ...string[]]; gender?: Gender }) {
  if (!gender) {
    const word = inSentence(label)
    return {
      fresh: `Создание: ${word}`,
      made: `Создано: ${word}`,
      saved: `Сохранено: ${word}`,
      removed: (name?: string) => `Удалено: ${name ? `${word} «${name}»` : word}`,
    }
  }
  const { fresh, made, saved, removed } = endings[gender]
  return {
    fresh: `${fresh} ${inSentence(label)}`,
    made: `${label} ${made}`,
    saved: `${label} ${saved}`,
    removed: (name?: string) => `${name ? `${label} «${name}»` : label} ${removed}`,
  }
}
