/** Selectable colours of boards, columns, tags, branches. */
export const palette: readonly { value: string; name: string }[] = [
  { value: '#546060', name: 'Серый' },
  { value: '#0b7a70', name: 'Бирюзовый' },
  { value: '#2f7d32', name: 'Зелёный' },
  { value: '#6b8e23', name: 'Оливковый' },
  { value: '#c98a04', name: 'Янтарный' },
  { value: '#d9622b', name: 'Оранжевый' },
  { value: '#c2222c', name: 'Красный' },
  { value: '#c2277a', name: 'Малиновый' },
  { value: '#8e44ad', name: 'Лиловый' },
  { value: '#5a4fcf', name: 'Фиолетовый' },
  { value: '#2563c9', name: 'Синий' },
  { value: '#1d86b8', name: 'Голубой' },
  { value: '#795548', name: 'Коричневый' },
  { value: '#000000', name: 'Чёрный' },
]

/** A random one of them. */
export const randomColor = (): string =>
  (palette[Math.floor(Math.random() * palette.length)] as { value: string }).value
