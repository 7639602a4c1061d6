/** Texts of the demo clinic's site. */
import type { Block, BlockKind } from '@ordinator/model/areas/site/blocks'
import type { DocumentKind } from '@ordinator/model/areas/site/documentKinds'
import type { PolicyKind } from '@ordinator/model/areas/site/policy'

type BlockDraft = [type: BlockKind, values: Record<string, unknown>, rows?: Record<string, unknown>[]]

interface DemoPage {
  title: string
  slug: string | null
  place?: 'menu' | 'footer' | 'both'
  seoDescription?: string
  blocks: BlockDraft[]
}

/** Converts demo blocks to the stored form. @param idFile of the banner's picture */
export const blocksOf = (drafts: readonly BlockDraft[], idFile: number): Block[] =>
  drafts.map(([type, values, rows], at) => ({
    id: at + 1,
    type,
    values: type === 'banner' || type === 'picture' ? { ...values, file: idFile } : values,
    ...(rows && { rows }),
  }))

const faq: Record<string, unknown>[] = [
  {
    question: 'Нужно ли записываться заранее?',
    answer: '<p>Да, так вы не будете ждать. Анализы сдают без записи, с 8 до 11 часов.</p>',
  },
  {
    question: 'Что взять с собой на первый приём?',
    answer: '<p>Паспорт, полис ДМС, если он есть, и прежние выписки. За ребёнка подписывает родитель с паспортом.</p>',
  },
  {
    question: 'Можно ли вернуть налог за лечение?',
    answer: '<p>Да: справку об оплате выдаст регистратура любого филиала по паспорту и ИНН.</p>',
  },
]

export const demoPages: readonly DemoPage[] = [
  {
    title: 'Клиника для всей семьи',
    slug: null,
    seoDescription: 'Приём врачей, УЗИ и анализы для взрослых и детей. Три филиала, запись каждый день.',
    blocks: [
      [
        'banner',
        {
          title: 'Врачи, которым доверяют семьёй',
          text: 'Приём взрослых и детей, УЗИ и анализы в трёх филиалах. Понятно объясним, что с вами и что делать дальше.',
          alt: 'Светлый холл клиники',
          button: 'Выбрать услугу',
          link: '/services',
        },
      ],
      ['services', { title: 'Услуги', groups: [], limit: 6 }],
      ['doctors', { title: 'Наши врачи', specialities: [], limit: 6 }],
      [
        'promotions',
        { title: 'Акции', limit: 3 },
        [
          {
            title: 'Осмотр всей семьи',
            text: 'Двум и более членам семьи в один день скидка 10 % на приёмы.',
            until: null,
            link: '/akcii',
          },
          {
            title: 'Чекап после сорока',
            text: 'Анализы, ЭКГ, УЗИ и терапевт за одно утро.',
            until: null,
            link: '/akcii',
          },
        ],
      ],
      ['news', { title: 'Новости', limit: 3 }],
      [
        'reviews',
        { title: 'Отзывы', limit: 3 },
        [
          {
            author: 'Ольга, мама двоих детей',
            text: 'Педиатр нашла общий язык с сыном за минуту. Всё записали и прислали, что делать дома.',
            day: '2026-09-14',
            mark: 5,
          },
          {
            author: 'Николай Петрович',
            text: 'Кардиолог отменил лишнее и объяснил, зачем остальное. Давление в норме третий месяц.',
            day: '2026-10-02',
            mark: 5,
          },
          {
            author: 'Марина',
            text: 'Приняли вовремя, результаты анализов пришли вечером того же дня.',
            day: '2026-10-27',
            mark: 4,
          },
        ],
      ],
      ['filials', { title: 'Где мы', limit: 12 }],
      ['faq', { title: 'Частые вопросы', limit: 6 }, faq],
      [
        'form',
        {
          title: 'Записаться',
          text: 'Оставьте телефон: перезвоним в рабочее время и подберём врача и час.',
          button: 'Жду звонка',
        },
      ],
    ],
  },
  {
    title: 'О клинике',
    slug: 'o-klinike',
    place: 'both',
    seoDescription: 'Как мы лечим и за что отвечаем.',
    blocks: [
      [
        'text',
        {
          title: null,
          text: '<p>Мы открылись в 2009 году с четырёх кабинетов. Сегодня это три филиала, тридцать врачей и своя лаборатория забора.</p><p>Мы лечим по клиническим рекомендациям, не назначаем лишнего и отвечаем за сказанное: каждое назначение записано в карте и понятно пациенту.</p><ul><li>приём в день обращения, если болит</li><li>один врач ведёт пациента от первого визита до выздоровления</li><li>цены известны до начала лечения</li></ul>',
        },
      ],
      ['picture', { alt: 'Холл клиники', caption: 'Холл главного филиала' }],
      ['doctors', { title: 'Врачи', specialities: [], limit: 12 }],
    ],
  },
  {
    title: 'Акции',
    slug: 'akcii',
    place: 'menu',
    blocks: [
      [
        'promotions',
        { title: null, limit: 12 },
        [
          {
            title: 'Осмотр всей семьи',
            text: 'Двум и более членам семьи в один день скидка 10 % на приёмы.',
            until: null,
            link: null,
          },
          { title: 'Чекап после сорока', text: 'Анализы, ЭКГ, УЗИ и терапевт за одно утро.', until: null, link: null },
          {
            title: 'Второе мнение бесплатно',
            text: 'Если диагноз поставлен не у нас, первый разбор документов бесплатный.',
            until: null,
            link: null,
          },
        ],
      ],
      ['form', { title: 'Спросить об акции', text: null, button: 'Отправить' }],
    ],
  },
  {
    title: 'Пациентам',
    slug: 'pacientam',
    place: 'menu',
    blocks: [
      [
        'text',
        {
          title: 'Как проходит первый визит',
          text: '<ol><li>Регистратура заведёт карту и договор: это 10 минут.</li><li>Врач осмотрит и скажет план: что сейчас, что потом, сколько это стоит.</li><li>Вы уйдёте с заключением. Его всегда можно запросить ещё раз.</li></ol>',
        },
      ],
      ['faq', { title: 'Частые вопросы', limit: 24 }, faq],
      ['files', { title: 'Документы', kind: 'rules', isOpen: true }],
    ],
  },
  {
    title: 'Подготовка к анализам',
    slug: 'podgotovka',
    place: 'footer',
    blocks: [
      [
        'text',
        {
          title: null,
          text: '<p>Кровь сдают утром натощак: последний приём пищи за 8–12 часов, воду пить можно. Накануне без алкоголя и жирного, за час не курить.</p><table><tbody><tr><th>Что сдаёте</th><th>Что важно</th></tr><tr><td>Общий анализ мочи</td><td>Утренняя порция, контейнер из аптеки</td></tr><tr><td>Гормоны щитовидной железы</td><td>До приёма лекарств, с 8 до 10 часов</td></tr><tr><td>УЗИ брюшной полости</td><td>Натощак, три дня без бобовых и молока</td></tr></tbody></table>',
        },
      ],
    ],
  },
  {
    title: 'Прайс-лист',
    slug: 'prajs',
    place: 'footer',
    blocks: [['prices', { title: null, groups: [], idFilial: null }]],
  },
  {
    title: 'Контакты',
    slug: 'kontakty',
    place: 'both',
    blocks: [
      ['filials', { title: null, limit: 12 }],
      ['form', { title: 'Написать нам', text: 'Ответим в рабочее время.', button: 'Отправить' }],
    ],
  },
  {
    title: 'Вакансии',
    slug: 'vakansii',
    place: 'footer',
    blocks: [
      [
        'text',
        {
          title: null,
          text: '<p>Ищем медицинскую сестру процедурного кабинета и администратора вечерней смены. Пришлите резюме через форму на странице «Контакты».</p>',
        },
      ],
    ],
  },
]

export const demoDocuments: readonly {
  kind: DocumentKind
  title: string
  number?: string
  date?: string
  description: string
}[] = [
  {
    kind: 'licence',
    title: 'Лицензия на осуществление медицинской деятельности',
    number: 'Л041-01184-63/00345678',
    date: '2021-04-12',
    description:
      'Выдана министерством здравоохранения области, бессрочно. Приложение: первичная медико-санитарная помощь по терапии, педиатрии, кардиологии, неврологии, ультразвуковой диагностике.',
  },
  {
    kind: 'registration',
    title: 'Сведения о юридическом лице',
    date: '2009-02-18',
    description: 'Учредители, структура, органы управления и дата государственной регистрации.',
  },
  {
    kind: 'contract',
    title: 'Договор на оказание платных медицинских услуг',
    date: '2026-01-12',
    description: 'Образец договора и правила предоставления платных услуг.',
  },
  {
    kind: 'rules',
    title: 'Правила записи и внутреннего распорядка',
    date: '2026-01-12',
    description: 'Как записаться, перенести и отменить визит, что делать при опоздании, правила для посетителей.',
  },
  {
    kind: 'staff',
    title: 'Сведения о медицинских работниках',
    date: '2026-09-01',
    description: 'Образование, специальность, аккредитация и график приёма.',
  },
  { kind: 'prices', title: 'Прайс-лист', date: '2026-10-01', description: 'Цены на все услуги с кодами номенклатуры.' },
  {
    kind: 'control',
    title: 'Контролирующие органы',
    description: 'Росздравнадзор и Роспотребнадзор по области: адреса, телефоны, часы приёма граждан.',
  },
]

export const demoPolicies: readonly { kind: PolicyKind; dateFrom: string; text: string }[] = [
  {
    kind: 'privacy',
    dateFrom: '2025-09-01',
    text: '<h2>Кто отвечает за ваши данные</h2><p>Клиника обрабатывает персональные данные посетителей сайта и пациентов, чтобы отвечать на заявки, оказывать помощь и вести медицинские документы.</p><h2>Что мы храним</h2><p>Из формы сайта: имя, телефон, текст сообщения, время и страница. Мы не ставим на сайте файлов cookie и счётчиков.</p><h2>Ваши права</h2><p>Вы можете узнать, что мы о вас храним, исправить это или отозвать согласие: напишите или придите в регистратуру. Мы ответим за десять рабочих дней.</p>',
  },
  {
    kind: 'consent',
    dateFrom: '2025-09-01',
    text: '<p>Я разрешаю клинике обрабатывать имя, телефон и текст моего сообщения, чтобы мне ответили и записали на приём. Согласие действует до ответа на заявку и один год после него; его можно отозвать в любое время.</p>',
  },
  {
    kind: 'offer',
    dateFrom: '2026-01-12',
    text: '<p>Цены на сайте не являются публичной офертой в отношении услуг, которым нужен осмотр врача: окончательную стоимость говорит врач до начала лечения.</p>',
  },
]
