import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** Seconds between the server's pings to an agent; after three without an answer the connection counts as lost. */
export const BEAT_S = 20
export const LOST_S = 3 * BEAT_S

const isAddress = (line: string): boolean => {
  const url = URL.parse(line)
  return url !== null && /^(?:https?|tcp):$/.test(url.protocol) && url.hostname !== '' && !url.username && !url.password
}
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
/** Addresses and programs of an agent, one per line. */
export const agentLines = (text: string | null): string[] => linesOf(text ?? '')

/**
 * The agent of a cash desk: a program on the computer with the cash register and the terminal, which connects to the
 * server. Its token is stored only in its file; a new file revokes the previous one.
 */
export const DeskAgent = entity('desk-agents', {
  label: ['Агент кассы', 'агента кассы', 'агентов касс'],
  gender: 'm',
  registry: {
    columns: ['name', 'idFilial', 'isOnline', 'dateSeen', 'computer', 'version', 'active'],
    form: {
      'Рабочее место': ['name', 'idFilial', 'active'],
      'Что ему разрешено': ['addresses', 'programs'],
    },
    empty: {
      title: 'Агентов пока нет',
      text: 'Добавьте рабочее место и скачайте программу для его компьютера: через неё работают касса и терминал, которые стоят рядом',
    },
  },
  fields: {
    name: text({
      label: 'Рабочее место',
      help: 'Например, «Регистратура на Садовой»',
      required: true,
      max: 64,
      search: true,
      unique: true,
    }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', onDelete: 'set null' }),
    addresses: text({
      label: 'Адреса устройств в сети',
      help: 'По одному на строке: http://192.168.1.50:16732. Устройства этого же компьютера указывать не нужно',
      max: 1000,
      multiline: true,
      rule: (value) =>
        linesOf(value).every(isAddress)
          ? undefined
          : 'Нужны адреса вида http://192.168.1.50:16732, по одному на строке',
    }),
    programs: text({
      label: 'Программы банка',
      help: 'Полный путь, по одному на строке: C:\\sc552\\loadparm.exe. Других программ агент не запускает',
      max: 1000,
      multiline: true,
    }),
    active: boolean({ label: 'Работает', default: true }),
    /** When its token was issued; null: it has none and cannot connect. */
    dateToken: dateTime({ label: 'Файл скачан', readonly: true }),
    dateSeen: dateTime({ label: 'Был на связи', readonly: true }),
    computer: text({ label: 'Компьютер', max: 128, readonly: true }),
    version: text({ label: 'Версия', max: 32, readonly: true }),
    isOnline: boolean({ label: 'На связи', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: { view: 'mainSettings', create: 'mainSettings', update: 'mainSettings', delete: 'mainSettings' },
  title: 'name',
  sort: 'name,id',
  soft: true,
})
