/**
 * Where this program is: the clinic at the root of its host, or its training clinic below `/training`. Every request, link
 * and stored value of the training clinic is below it, so that nothing of one clinic reaches the other.
 */
export const ROOT = globalThis.location?.pathname.startsWith('/training/') ? '/training' : ''

export const isTraining = ROOT !== ''

/** URL of the app itself. */
export const APP = `${ROOT}/app`

/** The URL of a call or a file of this clinic. */
export const urlOf = (path: string): string =>
  ROOT === '' || !path.startsWith('/') || path.startsWith(`${ROOT}/`) ? path : ROOT + path

const MARK = isTraining ? 'training:' : ''

/** Local storage of this clinic. */
export const storage = {
  key: (name: string): string => MARK + name,
  getItem: (name: string): string | null => localStorage.getItem(MARK + name),
  setItem: (name: string, value: string): void => localStorage.setItem(MARK + name, value),
  removeItem: (name: string): void => localStorage.removeItem(MARK + name),
  /** Clears what this clinic has stored; the clinic itself clears its training clinic too. */
  clear(): void {
    if (!isTraining) localStorage.clear()
    for (const name of Object.keys(localStorage)) if (name.startsWith(MARK)) localStorage.removeItem(name)
  },
}
