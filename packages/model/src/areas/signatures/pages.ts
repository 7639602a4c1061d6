import type { Page } from '../../page.ts'
import { signaturesAccess } from './access.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
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

/** What «?» tells about them, by the key of the page. */
export const signaturesHelp = {
  crypto: [
    'Подписывает браузер через КриптоПро ЭЦП: закрытый ключ не покидает компьютер, сервер хранит только сертификаты и подписи.',
    'За 30 и за 7 дней до конца сертификата или доверенности мы напомним его владельцу и тем, кто ведёт подписи.',
    'Сертификат без ОГРН клиники подписывает для СФР вместе с машиночитаемой доверенностью (МЧД).',
    'Если на сервере нет движка ГОСТ, подпись показывается как «не проверено», а не как верная.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
