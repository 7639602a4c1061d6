import { notify } from './notify.tsx'

/**
 * Puts the address of what is open into the clipboard, and says so.
 * @param path of the program, without `/app`
 * @param title over the link where the browser lets nobody copy: «Ссылка на задачу»
 */
export async function copyLink(path: string, title: string): Promise<void> {
  const link = `${location.origin}/app${path}`
  try {
    // Absent on a clinic's network without https.
    await navigator.clipboard.writeText(link)
    notify.success('Ссылка скопирована')
  } catch {
    notify.info(link, { title, timeout: 10_000 })
  }
}
