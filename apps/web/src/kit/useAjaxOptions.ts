import { useEffect, useRef, useState } from 'react'
import { byMatch } from './byMatch.ts'

export const AJAX_LIMIT = 20
const FROM_CHARACTERS = 2
const DELAY_MS = 300

export interface AjaxOption<V extends string | number = number> {
  value: V
  label: string
  hint?: string
  /** The more, the more usual: of several matches the usual one is first. */
  usual?: number
}

/** Loads options for a text: at most 20 (`AJAX_LIMIT`). `signal` is aborted when the text changes. */
export type AjaxLoad<V extends string | number = number> = (
  text: string,
  signal: AbortSignal,
) => Promise<AjaxOption<V>[]>

export interface AjaxState<V extends string | number> {
  options: AjaxOption<V>[]
  status: 'idle' | 'short' | 'loading' | 'ready' | 'failed'
}

/**
 * Options of an ajax select while its list is open: from two characters, 300 ms after the last key, the latest answer
 * wins, the best match comes first.
 * @param from 0 lists options before anything is typed
 */
export function useAjaxOptions<V extends string | number>(
  load: AjaxLoad<V>,
  text: string,
  opened: boolean,
  from = FROM_CHARACTERS,
): AjaxState<V> {
  const [state, setState] = useState<AjaxState<V>>({ options: [], status: 'idle' })
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    if (!opened) return
    const asked = text.trim()
    if (asked.length < from) {
      setState({ options: [], status: 'short' })
      return
    }
    const abort = new AbortController()
    setState((before) => ({ ...before, status: 'loading' }))
    const timer = setTimeout(
      () => {
        latest.current(asked, abort.signal).then(
          (found) =>
            !abort.signal.aborted &&
            setState({
              options: usualFirst(
                byMatch(found, asked, ({ label }) => label),
                asked,
              ),
              status: 'ready',
            }),
          () => !abort.signal.aborted && setState({ options: [], status: 'failed' }),
        )
      },
      asked ? DELAY_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text, opened, from])
  return state
}

/** A name typed as a whole is first in any case. */
function usualFirst<V extends string | number>(found: AjaxOption<V>[], asked: string): AjaxOption<V>[] {
  const isWhole = ({ label }: AjaxOption<V>) => Number(label.toLocaleLowerCase('ru') === asked.toLocaleLowerCase('ru'))
  return found.toSorted((a, b) => isWhole(b) - isWhole(a) || (b.usual ?? 0) - (a.usual ?? 0))
}

/** Message shown instead of options. */
export function ajaxMessage(status: AjaxState<number>['status'], from = FROM_CHARACTERS): string {
  if (status === 'short') return `Введите не меньше ${from} символов`
  if (status === 'loading' || status === 'idle') return 'Поиск…'
  return status === 'failed' ? 'Не удалось загрузить список' : 'Совпадений не найдено'
}
