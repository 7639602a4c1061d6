import { guide } from 'virtual:guide'
import type { Actor } from '@ordinator/model/access'
import { findInGuide } from '@ordinator/model/guide'
import { type PageKey, pageAllowed, pageByKey } from '@ordinator/model/pages'
import type { Command } from '#base/commands.ts'

const MAX_SHOWN = 4

/** Pages of the guide that answer to what is typed in the palette; `open` shows the help of one. */
export const guideCommands = (text: string, actor: Actor, open: (page: PageKey) => void): Command[] =>
  findInGuide(guide, text)
    .filter(({ page }) => pageAllowed(pageByKey(page as PageKey), actor))
    .slice(0, MAX_SHOWN)
    .map(({ page, title, line }) => ({
      id: `guide-${page}`,
      label: title,
      group: 'Справка',
      hint: line,
      run: () => open(page as PageKey),
    }))
