import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import { checkStorage } from '#platform/storage.ts'
import type { AppContext } from '#records/context.ts'

/** The file storage, unless it is a folder of the server. */
export const fileAdapters = (app: AppContext): Adapter[] =>
  app.config.files.startsWith('s3:')
    ? [
        {
          key: 'storage',
          name: 'Хранилище файлов (S3)',
          mode: 'prod',
          setIn: 'Настройка сервера FILES',
          isQuiet: true,
          async check() {
            try {
              await checkStorage(app.files)
            } catch (error) {
              app.log.warn({ err: error }, 'files: asked, the store takes none')
              throw new AdapterFault('Хранилище не принимает файлы')
            }
          },
        },
      ]
    : []
