import { inSentence } from './format.ts'
/** The screen of an entity as data: list, form and texts are generated. */
export interface Registry<N extends string = string> {
  /** Columns of the list, in order; default: the title and the first fields. */
  columns?: readonly N[]
  /** Fields of the form, in order, or by sections; default: all editable ones. */
  form?: readonly N[] | Readonly<Record<string, readonly N[]>>
  /** Shown for an empty list, with what to do. */
  empty: { title: string; text: string }
}

/** Grammatical gender of a record's name: «новая роль», «роль удалена». */
export type Gender = 'm' | 'f' | 'n'

const endings = {
  m: { fresh: 'Новый', made: 'создан', saved: 'сохранён', removed: 'удалён' },
  f: { fresh: 'Новая', made: 'создана', saved: 'сохранена', removed: 'удалена' },
  n: { fresh: 'Новое', made: 'создано', saved: 'сохранено', removed: 'удалено' },
} as const

/** Texts about a record: «Новая роль», «Роль создана», «Роль «Врач» удалена». */
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
