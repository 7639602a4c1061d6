import type { Page } from '../../page.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
export const payrollPages = [
  {
    key: 'payroll',
    path: 'features/payroll',
    title: 'Зарплата',
    help: 'Расчётные месяцы филиалов: начисления, выплаты и остатки',
    section: 'finance',
    icon: 'payroll',
    any: ['payroll'],
    menu: true,
    family: 'payroll',
    makes: { label: 'Новый расчётный месяц', any: ['payroll'], names: 'зарплата', rare: true },
  },
  {
    key: 'payrollPeriod',
    path: 'features/payroll/periods/:id',
    title: 'Расчётный месяц',
    help: 'Ведомость месяца: из чего сложилась зарплата каждого',
    section: 'finance',
    icon: 'payroll',
    any: ['payroll'],
  },
  {
    key: 'payrollSchemes',
    path: 'features/payroll/schemes',
    title: 'Схемы оплаты',
    help: 'Кому и за что платят: оклады, проценты, смены, минимумы',
    section: 'finance',
    icon: 'payroll',
    any: ['payroll'],
    family: 'payroll',
    makes: { label: 'Новая схема оплаты', any: ['payroll'], rare: true },
  },
  {
    key: 'serviceCosts',
    path: 'features/payroll/service-costs',
    title: 'Себестоимость услуг',
    help: 'Материалы и лаборатория, которые вычитаются из базы процента',
    section: 'finance',
    icon: 'payroll',
    any: ['payroll'],
    family: 'payroll',
    entity: 'payroll/service-costs',
    makes: { label: 'Новая себестоимость услуги', any: ['payroll'], rare: true },
  },
  {
    key: 'myPayroll',
    path: 'features/payroll/mine',
    title: 'Мои расчётные листы',
    help: 'Ваша зарплата по месяцам и то, как получилась каждая строка',
    section: 'finance',
    icon: 'payslip',
    menu: true,
  },
] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const payrollHelp = {
  payroll: [
    'Месяц считается отдельно по каждому филиалу. Откройте его, рассчитайте, проверьте и утвердите: после утверждения сотрудники видят свои расчётные листы.',
    'Закрытый месяц не меняется: возвраты и правки прошлых визитов попадают строками в открытый месяц.',
  ],
  payrollPeriod: [
    'Нажмите на сотрудника, чтобы увидеть каждую услугу, базу и ставку. Премии и удержания вносят там же: пересчёт их не трогает.',
    '«Пересчитать» сначала показывает разницу и меняет ведомость только после «Применить».',
  ],
  payrollSchemes: [
    'Схема сотрудника важнее схемы его должности. Когда по схеме закрыт месяц, её правила не меняются: закончите её и заведите новую.',
  ],
  serviceCosts: ['Эти суммы вычитаются из базы, если в правиле отмечено «минус материалы и лаборатория».'],
  myPayroll: ['Здесь только утверждённые месяцы. Строка показывает услугу, базу, ставку и сумму.'],
} as const satisfies Readonly<Record<string, readonly string[]>>
