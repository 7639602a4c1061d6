/** «Опись»: what is in a handover, its figures for the reconciliation, what stays and why. Plain text in Russian. */
import type { HandoverFigures, HandoverWho } from '@ordinator/model/areas/handover/handover'
import { handoverWho } from '@ordinator/model/areas/handover/handover'
import { moveSums, moveTables } from '@ordinator/model/areas/moving/tables'
import { counted, formatDay, formatNumber } from '@ordinator/model/format'
import { stays } from './whose.ts'

interface Contents {
  filial: string
  who: HandoverWho
  patients: number
  /** `YYYY-MM-DD`, by the clock of the branch. */
  day: string
  figures: HandoverFigures
  /** Sums of patients whose accounts stay with the network. */
  staying: HandoverFigures['sums']
}

const titles = new Map<string, string>(moveTables.map(({ key, title }) => [key, title]))

const sumLine = ({ kind, people, sum }: HandoverFigures['sums'][number]): string =>
  `  ${moveSums[kind].label}: ${formatNumber(sum, 2)}${kind === 'bonus' ? '' : ' ₽'} у ${counted(people, moveSums[kind].of)}`

/** @returns the text with the marks of a file for Windows: BOM and CRLF */
export function contentsText({ filial, who, patients, day, figures, staying }: Contents): string {
  const lines = [
    `Передача данных филиала «${filial}»`,
    `Собрано ${formatDay(day)}. Чьи данные: ${handoverWho[who].toLowerCase()}. Пациентов: ${patients}.`,
    '',
    'ЧТО ВНУТРИ',
    '',
    'Папка «переезд» — таблицы для раздела «Переезд» Ординатора (программа «Ординатор», колонки подберутся сами). Загружают по номерам.',
    'CSV в UTF-8, разделитель «;»: их прочтёт и другая программа.',
    ...figures.tables.map(
      ({ key, rows, files }) =>
        `  ${titles.get(key)}: ${rows === 0 ? 'нет' : counted(rows, ['строка', 'строки', 'строк'])}${files > 1 ? `, ${counted(files, ['файл', 'файла', 'файлов'])}` : ''}`,
    ),
    'Файлы пациентов лежат отдельными архивами «Переезд 12 Файлы пациентов»: каждый загружается как есть. Файл больше 50 МБ переезд оставит в списке.',
    '',
    `Папка «записи» — все записи филиала (${figures.records}): JSON, запись на строку, файл на каждый вид. Номера ссылок — номера прежней клиники; имена, на которые они указывают, — в папке «названия».`,
    'Архивы «Файлы записей» — файлы, на которые ссылаются записи: номер файла стоит перед его именем.',
    '',
    'СУММЫ ДЛЯ СВЕРКИ',
    '',
    'После загрузки сравните с «Переезд → Сверка»: суммы те же.',
    ...(figures.sums.length > 0 ? figures.sums.map(sumLine) : ['  Сумм нет']),
    '',
    'ЧТО ОСТАЁТСЯ И ПОЧЕМУ',
    '',
    ...figures.left.map(({ words, count }) => `  ${words}: ${count}.`),
    ...(staying.length > 0
      ? [
          '  Деньги пациентов, которые были и в других филиалах: счёт у пациента один на всю сеть, он остаётся у неё.',
          ...staying.map((one) => `  ${sumLine(one)}`),
        ]
      : []),
    '  Файлы карт, согласия и прежние визиты без филиала у пациентов, которые были и в других филиалах: неизвестно, чьи они.',
    '  Записи других филиалов: врачебная тайна (323-ФЗ, ст. 13).',
    ...stays.flatMap(({ why }) => (why ? [`  ${why}.`] : [])),
    '  Права, логины, телефоны и почта сотрудников: их заводит новый работодатель.',
    '  Настройки, шаблоны, скидки, программы бонусов и абонементов: они общие для сети.',
    '  Согласие с планом лечения и срок его цен: план согласуют с пациентом заново. Сделанное по плану — среди прошлых визитов.',
    '  Бонусы переносятся одной суммой на пациента, до самого позднего из их сроков.',
    '  Состав записи из нескольких врачей: каждый врач — отдельный визит.',
    '',
  ]
  return `\uFEFF${lines.join('\r\n')}`
}
