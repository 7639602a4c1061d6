import type { Classification } from '@ordinator/model/areas/regulations/regulation'
import type { ViolationLevel } from '@ordinator/model/areas/regulations/run'
import type { StepImportance, StepStatus, StepType } from '@ordinator/model/areas/regulations/step'
import type { RegulationTest } from '@ordinator/model/areas/regulations/test'
import { demoCare } from './demoRegulationsCare.ts'

export interface DemoStep {
  title: string
  /** HTML. */
  text: string
  minutes?: number
  status?: StepStatus
  importance?: StepImportance
  type?: StepType
  by?: string
  /** Names of the demo's scripts. */
  scripts?: readonly string[]
  /** Logins. */
  people?: readonly string[]
}

export interface DemoRegulation {
  name: string
  description: string
  type: Classification
  /** Name of a standard role. */
  role: string
  /** Login. */
  responsible: string
  status: 'template' | 'review' | 'approved' | 'active' | 'archived'
  /** Days since it came into force, or since it was written. */
  days: number
  reviewMonths?: number
  /** Names of roles. */
  audience?: readonly string[]
  reviewers?: readonly { login: string; kind: 'reviewer' | 'approver' }[]
  rejectionReason?: string
  /** Days from now on which it comes into force. */
  effectiveIn?: number
  /** A version in the archive and a draft of the next one stand around it. */
  hasVersions?: boolean
  test?: RegulationTest
  violations?: readonly { step: number; login: string; level: ViolationLevel; text: string; days: number }[]
  steps: readonly DemoStep[]
}

const desk: readonly DemoRegulation[] = [
  {
    name: 'Приём пациента на ресепшен',
    description: 'От входа пациента в клинику до двери кабинета: встреча, документы, оплата, проводы',
    type: 'Регламент',
    role: 'Оператор колл-центра',
    responsible: 'vasileva',
    status: 'active',
    days: 40,
    reviewMonths: 12,
    hasVersions: true,
    audience: ['Оператор колл-центра'],
    test: {
      questions: [
        {
          text: 'Что сделать до того, как выдать договор на подпись?',
          options: [
            { text: 'Сверить паспорт с карточкой пациента', isRight: true },
            { text: 'Попросить оплатить приём', isRight: false },
            { text: 'Отправить пациента в кабинет', isRight: false },
          ],
        },
        {
          text: 'Врач задерживается на 15 минут. Что сказать пациенту?',
          options: [
            { text: 'Ничего, пусть ждёт', isRight: false },
            { text: 'Назвать причину и новое время', isRight: true },
            { text: 'Предложить перенести запись, если ждать неудобно', isRight: true },
          ],
        },
      ],
    },
    violations: [
      { step: 1, login: 'kalinina', level: 'high', text: 'Паспорт не сверен: карточка заведена второй раз', days: 6 },
      { step: 4, login: 'safina', level: 'medium', text: 'О задержке врача пациенту не сказали', days: 3 },
    ],
    steps: [
      {
        title: 'Встретить пациента',
        text: '<p>Встаньте, поздоровайтесь первым, представьтесь. Не разговаривайте по телефону, пока пациент у стойки.</p>',
        minutes: 1,
        by: 'Администратор',
      },
      {
        title: 'Сверить документы',
        text: '<p>Сверьте паспорт с карточкой: ФИО, дату рождения, телефон. Для ребёнка — свидетельство о рождении и паспорт родителя.</p><ul><li>карточки нет — заведите её, сначала поищите по телефону;</li><li>фамилия сменилась — поправьте, старую оставьте в примечании.</li></ul>',
        minutes: 3,
        status: 'critical',
        importance: 'high',
        type: 'security',
        by: 'Администратор',
      },
      {
        title: 'Подписать договор и согласия',
        text: '<p>Договор, согласие на обработку персональных данных, информированное согласие. Дайте время прочитать.</p>',
        minutes: 5,
        importance: 'high',
        by: 'Администратор',
      },
      {
        title: 'Принять оплату',
        text: '<p>Назовите сумму вслух, предложите способ оплаты, выдайте чек.</p>',
        minutes: 2,
        by: 'Администратор',
      },
      {
        title: 'Проводить к кабинету',
        text: '<p>Покажите гардероб и бахилы, назовите кабинет и врача. Если врач задерживается, скажите причину и новое время.</p>',
        minutes: 2,
        status: 'attention',
        by: 'Администратор',
      },
    ],
  },
  {
    name: 'Входящий звонок',
    description: 'Ответ на звонок пациента: от приветствия до записи или решения вопроса',
    type: 'Алгоритм',
    role: 'Оператор колл-центра',
    responsible: 'operator',
    status: 'active',
    days: 90,
    reviewMonths: 6,
    audience: ['Оператор колл-центра'],
    violations: [
      { step: 0, login: 'fomin', level: 'medium', text: 'Ответ после шестого гудка', days: 2 },
      {
        step: 4,
        login: 'nikitina',
        level: 'high',
        text: 'Звонок закончен без подведения итога, пациент перезвонил',
        days: 9,
      },
    ],
    steps: [
      {
        title: 'Ответить до третьего гудка',
        text: '<p>Название клиники, имя, приветствие. Улыбка слышна в голосе.</p>',
        minutes: 1,
        scripts: ['Первичный звонок'],
        importance: 'high',
      },
      {
        title: 'Понять, зачем звонят',
        text: '<p>Задайте открытый вопрос, дослушайте до конца, повторите своими словами.</p>',
        minutes: 2,
        people: ['operator'],
      },
      {
        title: 'Исключить неотложное состояние',
        text: '<p>Боль за грудиной, одышка, кровотечение, потеря сознания — <strong>103</strong>, запись не предлагайте.</p>',
        minutes: 1,
        status: 'critical',
        importance: 'high',
        type: 'security',
      },
      {
        title: 'Предложить врача и время',
        text: '<p>Два варианта времени на выбор. На вопрос о цене отвечайте сразу и вместе с тем, что в неё входит.</p>',
        minutes: 3,
        scripts: ['Возражение: дорого', 'Запись на УЗИ'],
      },
      {
        title: 'Подвести итог',
        text: '<p>Повторите дату, время, врача, адрес и подготовку. Спросите, всё ли понятно.</p>',
        minutes: 1,
      },
      {
        title: 'Записать итог в карточку',
        text: '<p>Причина звонка и чем он кончился. Нет записи — причина отказа.</p>',
        minutes: 1,
        status: 'optional',
        importance: 'low',
        type: 'technical',
      },
    ],
  },
  {
    name: 'Возврат денег пациенту',
    description: 'Когда и как клиника возвращает оплату за услуги, которые не оказаны',
    type: 'Порядок',
    role: 'Бухгалтер',
    responsible: 'accountant',
    status: 'review',
    days: 4,
    audience: ['Оператор колл-центра', 'Бухгалтер'],
    reviewers: [
      { login: 'manager', kind: 'reviewer' },
      { login: 'accountant', kind: 'reviewer' },
      { login: 'mironov', kind: 'approver' },
    ],
    steps: [
      {
        title: 'Принять заявление',
        text: '<p>Письменное заявление с паспортными данными, датой оплаты и причиной. Приложите чек или его копию.</p>',
        minutes: 10,
        by: 'Администратор',
      },
      {
        title: 'Проверить, оказана ли услуга',
        text: '<p>Сверьте оплату с приёмом в расписании и протоколом врача.</p>',
        minutes: 15,
        importance: 'high',
        by: 'Заведующая филиалом',
      },
      {
        title: 'Согласовать сумму',
        text: '<p>Из суммы вычитаются только фактически понесённые расходы, с расчётом на бумаге.</p>',
        minutes: 20,
        by: 'Главный бухгалтер',
        people: ['accountant'],
      },
      {
        title: 'Вернуть тем же способом',
        text: '<p>Картой оплачено — на ту же карту, наличными — из кассы по расходному ордеру. Срок — 10 дней со дня заявления.</p>',
        minutes: 10,
        status: 'attention',
        type: 'external',
        by: 'Бухгалтер',
      },
    ],
  },
  {
    name: 'Жалоба пациента',
    description: 'Как принять жалобу, ответить на неё в срок и не повторить ошибку',
    type: 'Порядок',
    role: 'Руководитель',
    responsible: 'manager',
    status: 'approved',
    days: 2,
    effectiveIn: 5,
    audience: ['Оператор колл-центра', 'Врач', 'Медсестра'],
    steps: [
      {
        title: 'Выслушать и извиниться за неудобство',
        text: '<p>Не спорьте и не оправдывайтесь. Отведите пациента от стойки в отдельный кабинет.</p>',
        minutes: 10,
      },
      {
        title: 'Записать обращение',
        text: '<p>Что случилось, когда, с кем, чего пациент ждёт. Дайте прочитать и подписать.</p>',
        minutes: 10,
        importance: 'high',
      },
      {
        title: 'Передать руководителю в тот же день',
        text: '<p>Если есть вред здоровью — сразу, по телефону.</p>',
        minutes: 5,
        status: 'critical',
        importance: 'high',
        type: 'quality',
        people: ['manager'],
      },
      {
        title: 'Разобрать случай',
        text: '<p>Объяснения сотрудников, протоколы, записи звонков. Решает врачебная комиссия, если спор о лечении.</p>',
        minutes: 120,
        type: 'quality',
      },
      {
        title: 'Ответить пациенту',
        text: '<p>Письменно, по существу, не позже 10 дней. Сначала позвоните.</p>',
        minutes: 30,
        status: 'attention',
        type: 'external',
      },
    ],
  },
  {
    name: 'Обработка персональных данных',
    description: 'Что можно и чего нельзя делать с данными пациентов',
    type: 'Политика',
    role: 'Администратор',
    responsible: 'admin',
    status: 'template',
    days: 12,
    rejectionReason: 'Добавьте, как отвечать на запрос полиции, и срок хранения согласий',
    steps: [
      {
        title: 'Брать только нужное',
        text: '<p>Спрашивайте и записывайте только то, без чего услугу не оказать.</p>',
        importance: 'high',
        type: 'security',
      },
      {
        title: 'Не выносить за пределы программы',
        text: '<p>Снимки экрана, личная почта и мессенджеры — запрещены.</p>',
        status: 'critical',
        importance: 'high',
        type: 'security',
      },
      {
        title: 'Отвечать только самому пациенту',
        text: '<p>По телефону результаты не сообщаем. Родственнику — с письменного согласия.</p>',
        type: 'security',
      },
      {
        title: 'Сообщить об утечке',
        text: '<p>Сразу системному администратору: у клиники есть 24 часа на уведомление.</p>',
        minutes: 5,
        status: 'critical',
        people: ['admin'],
      },
    ],
  },
  {
    name: 'Вызов врача на дом',
    description: 'Приём заявки и выезд; услуга больше не оказывается',
    type: 'Регламент',
    role: 'Оператор колл-центра',
    responsible: 'operator',
    status: 'archived',
    days: 400,
    steps: [
      { title: 'Принять заявку', text: '<p>Адрес, домофон, жалобы, температура, телефон.</p>', minutes: 5 },
      { title: 'Назначить врача', text: '<p>Ближайший свободный по району.</p>', minutes: 10 },
      { title: 'Подтвердить время', text: '<p>Позвонить за час до приезда.</p>', minutes: 3, status: 'attention' },
      { title: 'Внести осмотр', text: '<p>Протокол — до конца смены.</p>', minutes: 15, by: 'Врач' },
    ],
  },
]

/** The regulations of the demo clinic. */
export const demoRegulations: readonly DemoRegulation[] = [...desk, ...demoCare]
