/** Parts of the app with programs of their own, and what to do when one does not load: usually a new version has replaced it on the server. */
import {
  type ComponentType,
  createElement,
  type FunctionComponent,
  type ReactNode,
  useLayoutEffect,
  useState,
} from 'react'

const KEY = 'ordinator:reloaded'
const ONCE_PER_MS = 60_000
const LOAD_TIMEOUT_MS = 120_000

/** The message must not look like the browser's own, or the router would reload a second time. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError'

  constructor(cause: unknown) {
    super('Вышла новая версия, обновите страницу', { cause })
  }
}

/**
 * Loads a part of the app, or throws a ChunkError. It may be loaded ahead, when the pointer comes near: so it is the
 * error screen that reloads the page, once the part is really wanted.
 */
export async function loadChunk<T>(importer: () => Promise<T>): Promise<T> {
  try {
    return await Promise.race([importer(), expiry()])
  } catch (error) {
    throw isMissing(error) ? new ChunkError(error) : error
  }
}

/**
 * A component with a program of its own, which comes when it is first shown, or ahead by `load`. What comes is drawn at
 * once: React's `lazy` lets a third of a second pass after it has shown what stands in the place, however soon that came.
 * @param waiting what stands in its place until then; nothing unless told
 * @throws ChunkError within the tree, where the component would have stood
 */
export function part<P extends object>(
  importer: () => Promise<{ default: ComponentType<P> }>,
  waiting?: ReactNode | ((props: P) => ReactNode),
): FunctionComponent<P> & { load(): Promise<void> } {
  let program: ComponentType<P> | undefined
  const fetching = async () => {
    program ??= (await loadChunk(importer)).default
    return program
  }
  function Part(props: P) {
    const [shown, setShown] = useState(() => program)
    const [error, setError] = useState<unknown>()
    useLayoutEffect(() => {
      if (!shown)
        fetching().then(
          (come) => setShown(() => come),
          (reason) => setError(reason),
        )
    }, [shown])
    if (error) throw error
    if (shown) return createElement(shown, props)
    return typeof waiting === 'function' ? waiting(props) : waiting
  }
  return Object.assign(Part, {
    // What does not come is told where it would have stood.
    load: () =>
      fetching().then(
        () => {},
        () => {},
      ),
  })
}

/** Reloads the page by itself, once in a minute at most; false: the person has to. */
export function reloadOnce(): boolean {
  if (reloadedLately()) return false
  sessionStorage.setItem(KEY, String(Date.now()))
  location.reload()
  return true
}

function expiry(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new ChunkError('timeout')), LOAD_TIMEOUT_MS)
  })
}

/** The texts of the three browser families, and vite's for a stylesheet. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|Unable to preload CSS|Failed to fetch module/i.test(
      error.message,
    )
  )
}

function reloadedLately(): boolean {
  return Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < ONCE_PER_MS
}
