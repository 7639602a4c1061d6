import { ApiError, errorMessage } from '#base/apiError.ts'

/** Result of a bulk change. */
export interface Several<R, D = unknown> {
  done: R[]
  /** Answers of `act`: one for all, or one for each of `done`. */
  answers: D[]
  /** Each refusal with the records it concerns. */
  refused: Map<string, R[]>
}

/** Changes all in one request; if some are refused, the others one by one. */
export async function several<R, D>(all: readonly R[], act: (some: R[]) => Promise<D>): Promise<Several<R, D>> {
  const result: Several<R, D> = { done: [], answers: [], refused: new Map() }
  const attempt = async (some: readonly R[]) => {
    result.answers.push(await act([...some]))
    result.done.push(...some)
  }
  const refuse = (one: R, error: unknown) => {
    const why = errorMessage(error)
    result.refused.set(why, [...(result.refused.get(why) ?? []), one])
  }
  try {
    await attempt(all)
    return result
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [only] = all
    if (all.length === 1 && only !== undefined) {
      refuse(only, error)
      return result
    }
  }
  for (const one of all) {
    try {
      await attempt([one])
    } catch (error) {
      // Changes already made must be reported, whatever the rest.
      if (!isRefusal(error) && result.done.length === 0) throw error
      refuse(one, error)
    }
  }
  return result
}

/** A refusal of one record, independent of the others. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && [403, 404, 409, 422].includes(error.status)

/** «Удалено 3 из 5», with the reasons for the others. */
export function partly<R>(
  { done, refused }: Several<R>,
  word: string,
  nothing: string,
): { title: string; why: string } {
  const left = leftOf(refused).length
  return {
    title: done.length ? `${word} ${done.length} из ${done.length + left}` : nothing,
    why: [...refused].map(([why, some]) => (left > 1 ? `${why} (${some.length})` : why)).join('\n'),
  }
}

/** The unchanged records. */
export const leftOf = <R>(refused: Several<R>['refused']): R[] => [...refused.values()].flat()
