import { notify } from './notify.tsx'
import { APP } from './root.ts'

/**
 * Copies the address of an open record to the clipboard, with a toast.
 * @param path within the app, without `/app`
 * @param title above the link when the browser does not allow copying: «Ссылка на задачу»
 */
export async function copyLink(path: string, title: string): Promise<void> {
  const link = `${location.origin}${APP}${path}`
  try {
    // The clipboard API is absent in a local network without https.
    await navigator.clipboard.writeText(link)
    notify.success('Ссылка скопирована')
  } catch {
    notify.info(link, { title, timeout: 10_000 })
  }
}
