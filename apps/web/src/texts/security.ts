import { countFr } from '@radx/locale/format-fr'
import { fr } from './typography.ts'

/** Texts of the security of one's own account. */
export const securityTexts = {
  title: 'Mot de passe',
  current: 'Mot de passe actuel',
  next: 'Nouveau mot de passe',
  nextHint: fr('8 caractères au moins ; les mots de passe courants sont refusés.'),
  again: 'Nouveau mot de passe, encore une fois',
  differ: fr('Les deux saisies diffèrent.'),
  change: 'Changer le mot de passe',
  changed: fr('Mot de passe changé. Vos autres sessions sont fermées.'),
  shared: fr(
    'Ce compte de démonstration est partagé : son mot de passe et ses réglages de sécurité ne changent pas.',
  ),
  sessions: {
    title: 'Sessions ouvertes',
    current: 'Cette session',
    opened: 'Ouverte le',
    used: fr('Dernière utilisation le'),
    end: 'Fermer',
    endLabel: (device: string) => fr(`Fermer la session : ${device}`),
    endOthers: 'Fermer toutes les autres',
    idle: (minutes: number) =>
      fr(`Une session sans activité pendant ${countFr(minutes, 'minute')} se ferme d’elle-même.`),
    ended: (count: number) => (count > 1 ? fr(`${count} sessions fermées`) : fr('Session fermée')),
    failed: fr('La liste des sessions n’a pas pu être chargée.'),
    unknownAddress: 'adresse inconnue',
  },
  factor: {
    title: 'Second facteur',
    help: fr(
      'Un second facteur protège le compte quand le mot de passe est connu d’un autre : une clé d’accès (empreinte, visage ou code de l’appareil), ou une application qui donne des codes.',
    ),
    awaited: fr(
      'Cette plateforme demande un second facteur aux gestionnaires : vos droits de gestionnaire attendent qu’il soit en place.',
    ),
    waiting: fr('Ces droits attendent un second facteur.'),
    toFactor: fr('Le mettre en place'),
    none: fr('Aucun second facteur n’est en place.'),
    totp: 'Application de codes',
    totpOn: 'En place',
    passkeys: fr('Clés d’accès'),
    codesLeft: (count: number) =>
      count === 0
        ? fr('Il ne reste aucun code de secours : en refaire avant d’en avoir besoin.')
        : fr(count === 1 ? 'Un seul code de secours reste.' : `${count} codes de secours restent.`),
    addTotp: 'Ajouter une application de codes',
    addPasskey: fr('Ajouter une clé d’accès'),
    remove: 'Retirer',
    removeTotp: fr('Retirer l’application de codes'),
    removePasskey: (name: string) => fr(`Retirer la clé d’accès : ${name}`),
    renew: 'Refaire les codes de secours',
    password: 'Mot de passe actuel',
    passkeyName: fr('Nom de la clé d’accès'),
    passkeyNameHint: fr('Par exemple : téléphone, ordinateur du bureau.'),
    go: 'Continuer',
    cancel: 'Annuler',
    scan: fr('Scanner ce code avec l’application, ou y saisir le secret, puis entrer le code qu’elle donne.'),
    qr: fr('Code QR de l’application de codes'),
    secret: 'Secret',
    code: 'Code à six chiffres',
    confirm: 'Mettre en place',
    codesTitle: 'Codes de secours',
    codesHelp: fr(
      'Chacun ouvre une session une fois si le second facteur est perdu. Ils ne seront plus montrés : les noter ou les imprimer maintenant.',
    ),
    codesKept: fr('Je les ai notés'),
    copy: 'Copier',
    copied: 'Copié',
    added: 'ajoutée le',
    lastUsed: fr('utilisée le'),
    unsupported: fr('Ce navigateur n’a pas de clés d’accès à cette adresse.'),
    cancelled: fr('La clé d’accès n’a pas été donnée. Recommencer.'),
  },
  data: {
    title: fr('Vos données'),
    help: fr(
      'Ce que cette plateforme garde de vous. Le fichier contient tout, sauf la pluie tirée du radar. L’effacement ferme le compte pour toujours ; seul le journal d’audit garde ses lignes jusqu’à la fin de sa rétention.',
    ),
    facts: [
      ['runs', 'Simulations'],
      ['exports', 'Exports'],
      ['events', fr('Évènements enregistrés')],
      ['landUses', fr('Cartes d’occupation du sol')],
      ['tables', 'Tables de Montana'],
      ['gauges', 'Pluviomètres'],
      ['networks', fr('Réseaux d’assainissement')],
      ['catchments', 'Bassins versants'],
      ['drafts', fr('Bassins en construction')],
      ['sessions', 'Sessions'],
      ['auditLines', fr('Lignes du journal d’audit')],
    ],
    take: fr('Télécharger mes données'),
    erase: 'Effacer mon compte',
    eraseHelp: fr(
      'Ce choix est définitif. Que deviennent vos simulations, leurs cartes, vos réseaux et vos bassins versants ?',
    ),
    runs: 'Simulations',
    deleteRuns: 'Les supprimer',
    handRuns: fr('Les remettre à un gestionnaire'),
    noManager: fr('Aucun autre gestionnaire n’est en activité.'),
    to: 'Gestionnaire',
    eraseNow: fr('Effacer définitivement'),
  },
  login: {
    waits: fr(
      'Votre session est terminée. Reconnectez-vous pour continuer : ce que vous aviez saisi est resté dans la page.',
    ),
    code: fr('Code de l’application ou code de secours'),
    codeHint: fr('Le mot de passe est juste ; ce compte demande aussi un second facteur.'),
    lost: fr(
      'Second facteur perdu : un code de secours le remplace. Sans code de secours, un gestionnaire peut le retirer.',
    ),
    passkey: fr('Utiliser une clé d’accès'),
  },
  link: {
    title: 'Choisir un mot de passe',
    help: fr('Ce lien pose une fois le mot de passe de votre compte, et ferme ses sessions.'),
    submit: 'Enregistrer le mot de passe',
    done: (name: string) => fr(`Mot de passe de « ${name} » enregistré. Vous pouvez vous connecter.`),
  },
} as const
