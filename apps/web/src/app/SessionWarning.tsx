import { Button, Group, Modal, Text } from '@mantine/core'
import { useReturnFocus } from '../kit/useReturnFocus.ts'

interface Props {
  busy: boolean
  onCancel: () => void
  onForce: () => void
}

/** The server found another session of the same user. */
export default function SessionWarning({ busy, onCancel, onForce }: Props) {
  useReturnFocus()
  return (
    <Modal opened onClose={onCancel} title="Открыт другой сеанс">
      <Text>
        Вы уже работаете в системе на другом устройстве или в другом браузере. Если продолжить, тот сеанс будет
        завершён, а несохранённое в нём пропадёт.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel}>
          Отмена
        </Button>
        <Button loading={busy} onClick={onForce} data-autofocus>
          Войти и завершить другой сеанс
        </Button>
      </Group>
    </Modal>
  )
}
