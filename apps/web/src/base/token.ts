/** The access token in local storage: shared by the tabs of one browser. */

const KEY = 'ordinator:token'

export const token = {
  get: (): string | null => localStorage.getItem(KEY),
  set: (value: string): void => localStorage.setItem(KEY, value),

  /** Calls back when another tab signs out (null) or gets a new token. */
  watch(onChange: (value: string | null) => void): () => void {
    const listen = (event: StorageEvent) => {
      if (event.key === null || event.key === KEY) onChange(token.get())
    }
    window.addEventListener('storage', listen)
    return () => window.removeEventListener('storage', listen)
  },
}
