/** Lazily loaded parts of the app, and the handling of a missing one: usually a new version has replaced it on the server. */
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

/** The message must differ from the browser's, or the router would reload a second time. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError'

  constructor(cause: unknown) {
    super('Вышла новая версия, обновите страницу', { cause })
  }
}

/**
 * Loads a part of the app, or throws a ChunkError. It may be preloaded on hover: therefore the error screen reloads the
 * page, once the part is really needed.
 */
export async function loadChunk<T>(importer: () => Promise<T>): Promise<T> {
  try {
    return await Promise.race([importer(), expiry()])
  } catch (error) {
    throw isMissing(error) ? new ChunkError(error) : error
  }
}

/**
 * A lazily loaded component, fetched when first shown, or earlier by `load`. It is rendered as soon as it arrives: React's
 * `lazy` waits a third of a second after showing the fallback, however soon the code came.
 * @param waiting the fallback; default: nothing
 * @throws ChunkError during rendering, in the component's place
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
    // A load error is thrown where the component is rendered.
    load: () =>
      fetching().then(
        () => {},
        () => {},
      ),
  })
}

/** Reloads the page, at most once a minute; false: the user has to. */
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

const wordsOf = ({ message }: Error): string => message

/** The messages of the three browser families, and vite's for a stylesheet. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|Unable to preload CSS|Failed to fetch module/i.test(
      wordsOf(error),
    )
  )
}

function reloadedLately(): boolean {
  return Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < ONCE_PER_MS
}
