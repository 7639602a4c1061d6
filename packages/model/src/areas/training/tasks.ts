/**
 * A first day by role: five short tasks in the training clinic. A task is done when the history of that clinic shows
 * that the employee has done it; it cannot be ticked.
 */
import type { PageKey } from '../../pages.ts'
import type { Permission } from '../../permissions.ts'

/** History lines of a done task: any one of these. */
export interface Trace {
  /** Path of an entity. */
  path: string
  action: 'create' | 'update'
  /** Of an update: the field that got one of the values; without values: any. */
  field?: string
  values?: readonly (string | number | boolean)[]
}

export interface TrainingTask {
  key: string
  title: string
  how: string
  page: PageKey
  traces: readonly Trace[]
}

export interface TrainingRole {
  title: string
  /** The topic of the first day. */
  about: string
  tasks: readonly TrainingTask[]
}

const created = (path: string): Trace => ({ path, action: 'create' })
const became = (path: string, field: string, ...values: (string | number | boolean)[]): Trace => ({
  path,
  action: 'update',
  field,
  ...(values.length ? { values } : {}),
})

const book: TrainingTask = {
  key: 'book',
  title: 'Запишите пациента на приём',
  how: '«Записать» (клавиша N) или щелчок по свободному времени: кто, что, когда.',
  page: 'calendar',
  traces: [created('appointments')],
}
const newTask: TrainingTask = {
  key: 'task',
  title: 'Поставьте задачу коллеге',
  how: 'Выберите доску, «+» в её колонке (клавиша N): название, исполнитель и срок.',
  page: 'tasks',
  traces: [created('tasks-management/tasks')],
}
const labOrder: TrainingTask = {
  key: 'order',
  title: 'Оформите заказ анализов',
  how: '«Новый заказ анализов»: пациент и исследования; справа видно цену, срок и пробирки.',
  page: 'labOrders',
  traces: [created('laboratory/orders')],
}

/** Keys are those of the standard roles: with such a role the employee comes into the training clinic. */
export const trainingRoles = {
  registrar: {
    title: 'Регистратор',
    about: 'Встретить пациента: карта, запись, приход, оплата.',
    tasks: [
      {
        key: 'customer',
        title: 'Заведите карту нового пациента',
        how: '«Новый клиент» (клавиша N): фамилия, имя, телефон, дата рождения. Похожие карты программа покажет сама.',
        page: 'customers',
        traces: [created('customers')],
      },
      book,
      {
        key: 'move',
        title: 'Перенесите чью-нибудь запись',
        how: 'Потяните запись мышью на другое время. С клавиатуры: выберите её, затем M, стрелки и Enter.',
        page: 'calendar',
        traces: [created('appointments/moves')],
      },
      {
        key: 'arrived',
        title: 'Отметьте, что пациент пришёл',
        how: 'В листе дня нажмите «Пришёл» в строке записи (клавиша A).',
        page: 'daySheet',
        traces: [became('appointments', 'visitStatus', 'arrived', 'inProgress')],
      },
      {
        key: 'pay',
        title: 'Примите оплату',
        how: '«Принять оплату» (клавиша N): пациент, сумма, способ. Если смена закрыта, сначала откройте её. Деньги и чек здесь ненастоящие.',
        page: 'cash',
        traces: [created('payments')],
      },
    ],
  },
  operator: {
    title: 'Оператор',
    about: 'Никого не забыть: чаты, звонки, обращения. Пациенты пишут и звонят сами.',
    tasks: [
      {
        key: 'take',
        title: 'Возьмите чат и ответьте',
        how: 'Откройте чат из «Ничьих», возьмите его (клавиша A) и напишите ответ; «/» подсказывает готовые слова.',
        page: 'liveAssist',
        traces: [created('live-assist/messages')],
      },
      {
        key: 'end',
        title: 'Завершите чат с итогом',
        how: '«Завершить» (клавиша E): выберите, чем кончился разговор.',
        page: 'liveAssist',
        traces: [became('live-assist', 'idOutcome'), became('live-assist', 'status', 'completed')],
      },
      {
        key: 'call',
        title: 'Запишите итог звонка',
        how: 'Откройте в журнале свой или пропущенный звонок и нажмите «Итог…» (клавиша E): итог или следующий шаг с датой.',
        page: 'calls',
        traces: [became('calls', 'idOutcome'), became('calls', 'nextStep')],
      },
      {
        key: 'appeal',
        title: 'Заведите обращение',
        how: '«Новое обращение» (клавиша N) здесь или O в чате и звонке: причина и суть.',
        page: 'appeals',
        traces: [created('appeals')],
      },
      book,
    ],
  },
  doctor: {
    title: 'Врач',
    about: 'Принять пациента: осмотр, диагноз, подпись, назначения.',
    tasks: [
      {
        key: 'examination',
        title: 'Начните осмотр',
        how: '«Новый осмотр» (клавиша N): пациент и шаблон. Черновик сохраняется сам.',
        page: 'examinations',
        traces: [created('examinations')],
      },
      {
        key: 'done',
        title: 'Заполните и завершите осмотр',
        how: 'Поставьте диагноз, заполните отмеченные поля и нажмите «Завершить».',
        page: 'examinations',
        traces: [became('examinations', 'status', 'done')],
      },
      {
        key: 'sign',
        title: 'Подпишите его',
        how: '«Подписать»: после этого осмотр не изменить, только исправить новой версией.',
        page: 'examinations',
        traces: [became('examinations', 'status', 'signed')],
      },
      labOrder,
      {
        key: 'plan',
        title: 'Составьте план лечения',
        how: '«Новый план лечения»: пациент, этапы и услуги; цены программа подставит.',
        page: 'customerPlans',
        traces: [created('customer-plans')],
      },
    ],
  },
  laboratory: {
    title: 'Лаборант',
    about: 'От заказа до результата: пробы, значения, проверка.',
    tasks: [
      labOrder,
      {
        key: 'take',
        title: 'Возьмите пробу',
        how: 'Выберите «Взять» и отсканируйте или впишите штрихкод пробирки из заказа.',
        page: 'labSamples',
        traces: [became('laboratory/samples', 'status', 'taken')],
      },
      {
        key: 'receive',
        title: 'Примите пробу в лабораторию',
        how: 'Выберите «Принять» и отсканируйте ту же пробирку.',
        page: 'labSamples',
        traces: [became('laboratory/samples', 'status', 'received')],
      },
      {
        key: 'value',
        title: 'Внесите результат',
        how: 'В рабочем списке впишите значение; Enter ведёт к следующему показателю.',
        page: 'labResults',
        traces: [created('laboratory/results')],
      },
      {
        key: 'confirm',
        title: 'Подтвердите его',
        how: 'Ctrl+Enter в строке: сначала техническая проверка, затем врачебная.',
        page: 'labResults',
        traces: [became('laboratory/results', 'status', 'technical', 'medical')],
      },
    ],
  },
  storekeeper: {
    title: 'Кладовщик',
    about: 'Принять, отпустить и посчитать товар.',
    tasks: [
      {
        key: 'document',
        title: 'Создайте поступление',
        how: '«Новый документ»: поступление, склад, поставщик.',
        page: 'warehouseDocuments',
        traces: [created('warehouse/documents')],
      },
      {
        key: 'lines',
        title: 'Добавьте в него товар',
        how: 'Поле товара по F2: сканер или название, количество и срок годности.',
        page: 'warehouseDocuments',
        traces: [created('warehouse/lines')],
      },
      {
        key: 'post',
        title: 'Проведите документ',
        how: 'Ctrl+Enter: остатки изменятся сразу.',
        page: 'warehouseDocuments',
        traces: [became('warehouse/documents', 'status', 'posted')],
      },
      {
        key: 'climate',
        title: 'Запишите температуру',
        how: 'Место хранения, утро или вечер, температура и влажность.',
        page: 'climate',
        traces: [created('warehouse/climate')],
      },
      newTask,
    ],
  },
  accountant: {
    title: 'Бухгалтер',
    about: 'Деньги клиники: расходы, выписки, отчёты.',
    tasks: [
      {
        key: 'expense',
        title: 'Внесите расход',
        how: '«Новый расход» (клавиша N): статья, сумма, месяц, к которому он относится.',
        page: 'expenses',
        traces: [created('expenses')],
      },
      {
        key: 'agree',
        title: 'Отправьте его на согласование',
        how: '«На согласование»: без маршрута он согласован сразу.',
        page: 'expenses',
        traces: [became('expenses', 'status', 'toApprove', 'approved')],
      },
      {
        key: 'paid',
        title: 'Оплатите согласованный расход',
        how: '«Оплатить»: со счёта или из кассы.',
        page: 'expenses',
        traces: [became('expenses', 'status', 'paid')],
      },
      {
        key: 'article',
        title: 'Заведите статью расходов',
        how: 'Название, вид и место в дереве: по статьям складывается прибыль.',
        page: 'expenseArticles',
        traces: [created('expenses/articles')],
      },
      newTask,
    ],
  },
  manager: {
    title: 'Руководитель',
    about: 'Видеть клинику целиком: задачи, новости, скидки, отчёты.',
    tasks: [
      newTask,
      {
        key: 'news',
        title: 'Напишите новость',
        how: '«Добавить новость»: название и текст. Кто прочитал, будет видно в ней.',
        page: 'news',
        traces: [created('news')],
      },
      {
        key: 'discount',
        title: 'Заведите скидку',
        how: 'Вид, размер, кому: сохранённая скидка — черновик, пока её не включат.',
        page: 'discounts',
        traces: [created('discounts')],
      },
      {
        key: 'mailing',
        title: 'Настройте рассылку отчёта',
        how: 'В отчёте — конверт, или здесь: отчёт, день и час, получатели.',
        page: 'reportMailings',
        traces: [created('reports/mailings')],
      },
      book,
    ],
  },
} as const satisfies Readonly<Record<string, TrainingRole>>

export type TrainingRoleKey = keyof typeof trainingRoles
export const trainingRoleKeys = Object.keys(trainingRoles) as [TrainingRoleKey, ...TrainingRoleKey[]]

/** Tasks of a role, typed as the others. */
export const tasksOf = (role: TrainingRoleKey): readonly TrainingTask[] => trainingRoles[role].tasks

/** Rights to see tasks done by others: managing the staff, or reading its figures. */
export const trainedReaders = ['editUsers', 'viewKpiReport'] as const satisfies readonly Permission[]
