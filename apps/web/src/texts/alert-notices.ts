import type { NoticeChannel } from '@radx/contracts/alert-notices'
import { countFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

/** Texts of who is told of alerts beside the page. */
export const noticeTexts = {
  title: 'Être averti',
  intro: fr(
    'Hors de la page, une alerte part une seule fois par destinataire ; un envoi qui échoue est repris, puis dit au journal.',
  ),
  shared: fr('Ce compte de démonstration est partagé : ses alertes sont annoncées dans la page seulement.'),
  channel: {
    email: 'Courriel',
    push: 'Notification du navigateur',
    webhook: 'Webhook',
  } satisfies Record<NoticeChannel, string>,
  email: 'Adresse de courriel',
  noMail: fr("Ce serveur n'envoie pas de courriel : son administrateur peut régler SMTP_URL."),
  confirmed: fr('Adresse confirmée.'),
  unconfirmed: fr('Pas encore confirmée : rien n’y est envoyé.'),
  code: fr('Code reçu par courriel (6 chiffres)'),
  confirm: 'Confirmer',
  again: 'Renvoyer un code',
  quiet: fr('Heures calmes'),
  quietHint: fr(
    'Ce qui arrive pendant ces heures est envoyé à leur fin, sauf ce qui est critique. Horloge du site.',
  ),
  from: 'De',
  to: 'À',
  save: 'Enregistrer',
  saved: fr('Enregistré.'),
  push: {
    title: 'Notifications du navigateur',
    none: fr('Aucun appareil abonné.'),
    add: fr('Abonner ce navigateur'),
    added: fr('Ce navigateur est abonné.'),
    unsupported: fr(
      'Ce navigateur ne reçoit pas de notifications ici (il faut une adresse https, et sur iPhone le site ajouté à l’écran d’accueil).',
    ),
    refused: fr('Le navigateur refuse les notifications de ce site : les permettre dans ses réglages.'),
    failed: fr("L'abonnement n'a pas abouti : le service du navigateur n'est pas joignable."),
    since: (label: string, at: string) => fr(`${label}, depuis ${at}`),
    remove: 'Retirer',
    removeLabel: (label: string) => fr(`Retirer l'appareil : ${label}`),
  },
  rule: {
    title: fr('Avertir aussi'),
    email: 'Par courriel',
    emailMissing: fr('Par courriel (adresse à confirmer plus bas)'),
    push: 'Par notification sur mes appareils abonnés',
    pushMissing: fr('Par notification (aucun appareil abonné)'),
    webhook: (name: string) => fr(`Webhook : ${name}`),
    quiet: fr('Heures calmes propres à cette règle'),
  },
  hooks: {
    title: 'Webhooks',
    intro: fr(
      'Appelés en POST quand une règle d’un gestionnaire les nomme, signés (HMAC-SHA256). Adresses privées et redirections ne sont pas suivies.',
    ),
    none: fr('Aucun webhook.'),
    name: 'Nom du webhook',
    url: fr('Adresse (https)'),
    add: 'Ajouter un webhook',
    secret: fr('Clé de signature, montrée cette seule fois :'),
    lastSent: (at: string) => fr(`Dernier appel réussi ${at}`),
    never: fr('Pas encore appelé'),
    lastError: (error: string) => fr(`Dernier échec : ${error}`),
    by: (name: string) => fr(`Ajouté par ${name}`),
    test: 'Essayer',
    testLabel: (name: string) => fr(`Essayer le webhook : ${name}`),
    ok: (name: string) => fr(`${name} : appel réussi.`),
    failed: (error: string) => fr(error),
    remove: 'Supprimer',
    removeLabel: (name: string) => fr(`Supprimer le webhook : ${name}`),
    removeAsk: fr('Supprimer ce webhook ? Les règles qui le nomment ne l’appelleront plus.'),
  },
  state: {
    title: fr('Avis d’alerte'),
    noMail: fr('aucun serveur de courriel réglé (SMTP_URL)'),
    counts: (waiting: number, held: number, sent: number, failed: number) =>
      fr(
        `${waiting} en attente, ${countFr(held, 'retenu')}, ${countFr(sent, 'remis', 'remis')} et ${failed} non remis en 24 h`,
      ),
    retried: (count: number, oldest: string) =>
      fr(`${countFr(count, 'avis', 'avis')} en nouvel essai, depuis ${oldest}`),
    lastSent: (at: string) => fr(`dernier remis ${at}`),
    lastError: (at: string, error: string) => fr(`dernier échec ${at} : ${error}`),
  },
} as const
