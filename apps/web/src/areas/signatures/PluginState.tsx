import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { useSigning } from './useSigning.ts'

/** The signing plugin in use, and what is missing. */
export function PluginState() {
  const { plugin, isSimulator, hasGost, error } = useSigning()
  useRevealDelay(!error && !plugin)
  if (error) return null
  if (!plugin) return null
  if (isSimulator)
    return (
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} title="Включён имитатор подписи">
        Документы получают пометку «ТЕСТОВАЯ ПОДПИСЬ» и юридической силы не имеют. Рабочую подпись включают в настройках
        ЕГИСЗ: «Чем подписывают».
        {hasGost === false && ' На сервере нет движка ГОСТ: подписи показываются как «не проверено».'}
      </Alert>
    )
  return (
    <Alert color={hasGost ? 'teal' : 'yellow'} variant="light" icon={<IconShieldCheck size={18} />} title={plugin.name}>
      Закрытые ключи остаются на вашем компьютере и токенах: сервер хранит только сертификаты и подписи.
      {hasGost === false &&
        ' Проверить подпись на сервере нечем: установите libengine-gost-openssl, пока подписи показываются как «не проверено».'}
    </Alert>
  )
}
