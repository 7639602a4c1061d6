import { z } from 'zod'
import { messages } from '../../../messages.ts'
import { flag } from '../checks.ts'
import { child, secret, setting, whole } from '../setting.ts'

/** «Резервные копии»: schedule, number to keep, passphrase. The folder is set on the server. */
export const backupsSettings = child({
  page: 'backups',
  beside: ['health'],
  groups: {
    Расписание: {
      backupActive: setting({
        label: 'Делать копию каждый день',
        help: 'После каждой — пробное восстановление в запасную папку',
        words: 'бэкап резервная копия автоматически',
        check: flag(),
        byDefault: true,
      }),
      backupHour: setting({
        label: 'В котором часу',
        help: 'По часам клиники; лучше ночью',
        words: 'бэкап время расписание',
        check: whole(0, 23),
        byDefault: 3,
      }),
      backupKeep: setting({
        label: 'Сколько копий хранить',
        help: 'Старшие удаляются после новой удачной',
        words: 'бэкап срок хранения',
        check: whole(1, 365),
        byDefault: 14,
      }),
      backupPassphrase: secret(
        {
          label: 'Пароль копий',
          help: 'Не короче 12 знаков. Запишите его отдельно: без него копию не открыть никому. Прежние копии открываются прежним',
          words: 'бэкап шифрование passphrase',
        },
        z
          .string(messages.string)
          .max(200, messages.maxLength(200))
          .refine((value) => value === '' || value.length >= 12, 'Нужно не меньше 12 знаков'),
      ),
    },
  },
})
