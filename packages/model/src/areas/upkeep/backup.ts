import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

export const backupKinds = { daily: 'По расписанию', manual: 'Вручную', update: 'Перед обновлением' } as const
export const backupStates = {
  running: 'Делается',
  done: 'Готова',
  failed: 'Не получилась',
  cancelled: 'Остановлена',
  gone: 'Удалена по сроку',
} as const
export const trialStates = {
  none: 'Не проверялась',
  running: 'Проверяется',
  good: 'Проверена восстановлением',
  bad: 'Не восстановилась',
} as const

/** Hours after the last good backup until administrators are warned. */
export const BACKUP_LATE_HOURS = 24

const readonly = true

/** A backup of the database and the files: an archive in the backup folder or bucket. */
export const Backup = entity('backups', {
  label: ['Резервная копия', 'резервной копии', 'резервных копий'],
  gender: 'f',
  fields: {
    name: text({ label: 'Файл', readonly, max: 120 }),
    kind: choice(backupKinds, { label: 'Почему сделана', readonly, default: 'manual' }),
    state: choice(backupStates, { label: 'Состояние', readonly, default: 'running' }),
    progress: integer({ label: 'Сделано, %', readonly, default: 0 }),
    size: decimal({ label: 'Байтов', readonly, scale: 0 }),
    files: integer({ label: 'Файлов клиники', readonly }),
    isEncrypted: boolean({ label: 'Зашифрована', readonly, default: false }),
    message: text({ label: 'Причина', readonly, max: 500 }),
    trial: choice(trialStates, { label: 'Пробное восстановление', readonly, default: 'none' }),
    trialRows: decimal({ label: 'Записей восстановлено', readonly, scale: 0 }),
    trialFiles: integer({ label: 'Файлов восстановлено', readonly }),
    trialMissing: integer({ label: 'Файлов не нашлось', readonly }),
    trialMessage: text({ label: 'Чем кончилась проверка', readonly, max: 500 }),
    dateTrial: dateTime({ label: 'Проверена', readonly }),
    idUser: ref('users', { label: 'Кто', as: 'user', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Начата', auto: 'created' }),
    dateEnd: dateTime({ label: 'Окончена', readonly }),
  },
  access: { view: 'mainSettings' },
  title: 'name',
  sort: '-id',
  soft: true,
})
