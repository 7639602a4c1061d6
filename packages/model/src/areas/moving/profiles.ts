/**
 * Profiles that come with the product. A head is listed only where a public document of the program names it; what no
 * document names is left to the matching by names and content, marked in the profile (`source: null`).
 */
import type { MoveProfileColumns } from './move.ts'
import type { MoveProgram } from './tables.ts'

export interface ReadyProfile {
  /** The profile of this product is derived from the tables themselves (`matching.ts` of the server). */
  key: Exclude<MoveProgram, 'other' | 'ordinator'>
  name: string
  /** The document that names the columns; null: «не проверено». */
  source: string | null
  columns: MoveProfileColumns
}

const KEY = 'Код в прежней программе'

export const readyProfiles: readonly ReadyProfile[] = [
  {
    key: 'yclients',
    name: 'YCLIENTS',
    // Names of the fields of a client: the description of the REST API; the export of the program is not described.
    source: 'Поля клиента по описанию REST API YCLIENTS (developers.yclients.com); шапка выгрузки в Excel не описана',
    columns: {
      customers: {
        [KEY]: ['id', 'ID клиента', 'Id'],
        ФИО: ['display_name'],
        Фамилия: ['surname'],
        Имя: ['name'],
        Отчество: ['patronymic'],
        Телефон: ['phone'],
        'Электронная почта': ['email'],
        'Дата рождения': ['birth_date'],
        'Номер карты': ['card'],
        Примечание: ['comment'],
      },
    },
  },
  {
    key: 'medialog',
    name: 'Медиалог',
    source: 'Справка МЕДИАЛОГ, «Импорт талонов» и «Файлы импорта счетов» (medsoftservice.ru/help)',
    columns: {
      customers: {
        [KEY]: ['PATIENTS_ID'],
        Фамилия: ['FAM'],
        Имя: ['IMYA'],
        Отчество: ['OTCH'],
        'Дата рождения': ['DATA_R'],
        'Полис ОМС': ['POLICE'],
      },
      visits: {
        [KEY]: ['BILL_ID'],
        'Код пациента': ['PATIENTS_ID', 'PATIENT'],
        Дата: ['BILL_DATE'],
        Врач: ['MED_CODE'],
        Услуга: ['SERV_CODE'],
        Количество: ['CNT'],
        Сумма: ['SUM'],
      },
    },
  },
  {
    key: 'bitrix24',
    name: 'Битрикс24',
    source:
      'Учебный курс Битрикс24, «Импорт пользователей»: шапка CSV (training.bitrix24.com, урок 1418). Колонки контактов CRM не описаны: подберутся по названиям',
    columns: {
      users: {
        [KEY]: ['LOGIN', 'ID'],
        Логин: ['LOGIN'],
        Должность: ['WORK_POSITION'],
        Почта: ['EMAIL'],
        Телефон: ['PERSONAL_MOBILE'],
      },
    },
  },
  // Both document which tables they give, and no public document names the columns.
  {
    key: 'ident',
    name: 'IDENT',
    source: null,
    columns: { customers: { [KEY]: ['Код пациента', 'ID пациента'], 'Номер карты': ['Номер карты', '№ карты'] } },
  },
  { key: 'sqns', name: 'SQNS', source: null, columns: { customers: { [KEY]: ['ID', 'Id пациента'] } } },
  {
    key: 'onec',
    name: '1С:Медицина',
    source: null,
    columns: {
      customers: { [KEY]: ['Код'], ФИО: ['Наименование'] },
      services: { [KEY]: ['Код'], Название: ['Наименование'] },
    },
  },
]
