import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'

/** A step of the product tour. */
interface TourStep {
  title: string
  text: string
}

const tour: readonly TourStep[] = [
  {
    title: 'Разделы слева',
    text: 'В меню только то, что открыто вам по правам. Число у раздела — сколько там вас ждёт.',
  },
  {
    title: 'Поиск и команды — Ctrl+K',
    text: 'Находит задачи, сделки, клиентов, телефоны, регламенты и людей с любой страницы. Там же «Новая задача», «Новая сделка» и другие действия.',
  },
  {
    title: 'Рабочий стол и колокольчик',
    text: 'На рабочем столе — что сделать сегодня. Колокольчик собирает назначения, упоминания и напоминания; о чём уведомлять, решаете вы в профиле.',
  },
  {
    title: 'Ничего не пропадёт',
    text: 'Набранное хранится до сохранения, удалённое возвращается из корзины, а после изменения рядом стоит «Отменить» (Ctrl+Z).',
  },
  {
    title: 'Справка — клавиша «?»',
    text: 'На каждой странице рассказывает, как на ней работать, и показывает клавиши. Отсюда же это знакомство можно открыть снова.',
  },
]

/** The product tour: a few things to know, one after another. */
export default function Tour({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [at, setAt] = useState(0)
  const step = tour[at]
  const isLast = at === tour.length - 1
  const close = () => {
    onClose()
    setAt(0)
  }
  if (!step) return null
  return (
    <Dialog opened={opened} onClose={close} title={step.title} size={480}>
      <Text mih={72} aria-live="polite">
        {step.text}
      </Text>
      <HStack justify="space-between" mt={16}>
        <Fine className="tabular">
          {at + 1} из {tour.length}
        </Fine>
        <HStack>
          {at > 0 && <ActionButton label="Назад" variant="default" onClick={() => setAt(at - 1)} />}
          <Button data-autofocus onClick={() => (isLast ? close() : setAt(at + 1))}>
            {isLast ? 'Готово' : 'Далее'}
          </Button>
        </HStack>
      </HStack>
    </Dialog>
  )
}
