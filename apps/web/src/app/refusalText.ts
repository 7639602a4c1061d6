import type { Actor } from '@ordinator/model/access'
import type { Page } from '@ordinator/model/page'
import { pageRefusal } from '@ordinator/model/pages'
import { permissionLabel } from '@ordinator/model/permissions'
import { moduleLabels, tariffLabels } from '@ordinator/model/tariff'

/** The reason why a page is closed, for the user. */
export function refusalText(page: Page, actor: Actor | null): string {
  const found = pageRefusal(page, actor ?? { id: 0, permissions: {} })
  if (!found) return ''
  const subject = `Страница «${page.title}» недоступна`
  if (found.reason === 'tariff') return `${subject}: она входит в тариф «${tariffLabels[found.tariff]}».`
  if (found.reason === 'module') return `${subject}: модуль «${moduleLabels[found.module]}» не подключён.`
  const names = (found.any ?? found.missing ?? []).map((name) => `«${permissionLabel(name)}»`)
  const needed = names.length > 1 ? (found.any ? 'одно из прав' : 'права') : 'право'
  return `${subject}: ${needed === 'права' ? 'нужны' : 'нужно'} ${needed} ${names.join(', ')}. Обратитесь к администратору клиники.`
}
