import { expect, it } from 'vitest'
import { categoryLabels, categoryOf, extensionOf, fileCategories } from './files.ts'

it.each([
  ['photo.JPG', 'jpg', 'image'],
  ['запись.mp3', 'mp3', 'audio'],
  ['видео.mp4', 'mp4', 'video'],
  ['договор.docx', 'docx', 'document'],
  ['отчёт.xlsx', 'xlsx', 'excel'],
  ['прочти.txt', 'txt', 'text'],
  ['setup.exe', 'exe', 'exe'],
  ['скан.pdf', 'pdf', 'pdf'],
  ['архив.tar.gz', 'gz', 'archive'],
  ['план.pptx', 'pptx', 'presentation'],
  ['app.js', 'js', 'js'],
  ['index.html', 'html', 'html'],
  ['style.css', 'css', 'css'],
  ['нечто.абв', '', 'other'],
  ['.htaccess', '', 'other'],
  ['без точки', '', 'other'],
  ['constructor', '', 'other'],
])('%s is .%s, %s', (name, extension, category) => {
  expect(extensionOf(name)).toBe(extension)
  expect(categoryOf(extension)).toBe(category)
})

it('has the categories of the specification (§9), each with its label', () => {
  expect(fileCategories).toEqual([
    'image',
    'audio',
    'video',
    'document',
    'excel',
    'text',
    'exe',
    'pdf',
    'archive',
    'presentation',
    'js',
    'html',
    'css',
  ])
  expect(Object.keys(categoryLabels)).toEqual([...fileCategories, 'other'])
})
