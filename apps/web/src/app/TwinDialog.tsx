import { Button, Group, Modal, Text } from '@mantine/core'

interface Props {
  name: string
  onCancel: () => void
  onLeave: () => void
}

/** The two systems have different users; stands until it is answered. */
export default function TwinDialog({ name, onCancel, onLeave }: Props) {
  return (
    <Modal
      opened
      onClose={() => {}}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      title="Выполнен вход под другой учётной записью"
    >
      <Text>
        В другой системе клиники работает другой сотрудник, а здесь — {name}. Выйдите и войдите под нужной учётной
        записью, чтобы данные не попали не к тому человеку.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel}>
          Отмена
        </Button>
        <Button onClick={onLeave} data-autofocus>
          Выйти
        </Button>
      </Group>
    </Modal>
  )
}
