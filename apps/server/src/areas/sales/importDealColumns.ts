import { Lead } from '@ordinator/model/areas/sales/lead'
import { columnsFor } from '#areas/imports/index.ts'

/** Named as in the table of deals and its export. */
export const columns = columnsFor(Lead, [
  {
    field: 'title',
    also: ['сделка', 'название сделки', 'title', 'name', 'deal', 'тема'],
    examples: ['Имплантация, консультация', 'Годовой осмотр сотрудников'],
  },
  {
    field: 'idStage',
    also: ['этап сделки', 'статус', 'стадия', 'stage', 'status'],
    examples: ['Новая', ''],
  },
  {
    field: 'price',
    also: ['бюджет', 'цена', 'стоимость', 'сумма сделки', 'price', 'amount', 'budget'],
    examples: ['45000,50', '1 200 000'],
  },
  {
    name: 'Контакт',
    also: ['контакт: фио', 'контакты', 'фио', 'имя', 'клиент', 'основной контакт', 'contact'],
    examples: ['Смирнова Ольга Игоревна', ''],
  },
  {
    name: 'Телефон',
    also: ['контакт: телефон', 'телефон контакта', 'рабочий телефон', 'мобильный телефон', 'phone'],
    examples: ['8 (999) 123-45-67', ''],
  },
  {
    name: 'Электронная почта',
    field: 'email',
    also: ['почта', 'контакт: электронная почта', 'почта контакта', 'эл. почта', 'email', 'e-mail'],
    examples: ['olga@example.ru', ''],
  },
  { name: 'Компания', also: ['организация', 'company'], examples: ['', 'ООО «Ромашка»'] },
  {
    name: 'Ответственный',
    also: ['ответственные', 'менеджер', 'responsible', 'owner'],
    examples: ['manager', ''],
  },
  { field: 'idSource', also: ['источник сделки', 'utm_source', 'source'], examples: ['Сайт', ''] },
  {
    field: 'dateExpected',
    also: ['дата закрытия', 'предполагаемая дата закрытия', 'expected', 'close date'],
    examples: ['15.12.2026', ''],
  },
  {
    field: 'nextStep',
    also: ['следующее действие', 'ближайшая задача', 'next step'],
    examples: ['Перезвонить', ''],
  },
  { field: 'dateNextStep', dayTime: '09:00', also: ['дата следующего шага'], examples: ['05.12.2026 10:00', ''] },
  { name: 'Метки', also: ['метка', 'теги', 'тег', 'теги сделки', 'tags', 'labels'], examples: ['Повторный, ВИП', ''] },
  {
    field: 'description',
    also: ['комментарий', 'примечание', 'description'],
    examples: ['Просит вечерние часы', ''],
  },
  {
    field: 'idLossReason',
    also: ['причина закрытия', 'причина проигрыша', 'loss reason'],
    examples: ['', ''],
  },
  { field: 'lossNote', also: ['пояснение', 'loss note'], examples: ['', ''] },
])
