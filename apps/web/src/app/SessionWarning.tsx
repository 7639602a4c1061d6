import { Text } from '@mantine/core'
import { ActionDialog } from '#kit/ActionDialog.tsx'

interface Props {
  onCancel: () => void
  onForce: () => Promise<unknown>
}

/** Shown when the server has found another session of the user. */
export default function SessionWarning({ onCancel, onForce }: Props) {
  return (
    <ActionDialog
      title="Открыт другой сеанс"
      action="Войти и завершить другой сеанс"
      run={async () => {
        await onForce()
        return false
      }}
      onClose={onCancel}
    >
      <Text>
        Вы уже работаете в системе на другом устройстве или в другом браузере. Если продолжить, тот сеанс будет
        завершён, а несохранённое в нём пропадёт.
      </Text>
    </ActionDialog>
  )
}
