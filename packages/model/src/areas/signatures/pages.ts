import type { Page } from '../../page.ts'
import { signaturesAccess } from './access.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const signaturesPages = [
  {
    key: 'crypto',
    path: 'crypto',
    title: 'Электронные подписи',
    help: 'Сертификаты врачей и клиники, доверенности, проверка подписи',
    section: 'clinic',
    icon: 'crypto',
    any: signaturesAccess,
    entity: 'signatures/certificates',
    menu: true,
  },
] as const satisfies readonly Page[]
