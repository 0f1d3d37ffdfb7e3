/** Storage, network, access and extensions. In the notation that `shape/parse.ts` reads. */
export const clusterNotation = `
CSIDriver: metadata:ObjectMeta@1 spec:CSIDriverSpec@2
CSIDriverSpec: attachRequired:b@1* fsGroupPolicy@5* nodeAllocatableUpdatePeriodSeconds:i@9*
  podInfoOnMount:b@2* preventPodSchedulingIfMissing:b@11* requiresRepublish:b@7* seLinuxMount:b@8*
  serviceAccountTokenInSecrets:b@10* storageCapacity:b@4* tokenRequests:[TokenRequest]@6
  volumeLifecycleModes:[s]+@3
TokenRequest: audience@1 expirationSeconds:i@2*
CSINode: metadata:ObjectMeta@1 spec:CSINodeSpec@2
CSINodeSpec: drivers:[CSINodeDriver]=name~@1
CSINodeDriver: allocatable:VolumeNodeResources@4* name@1 nodeID@2 topologyKeys:[s]@3
VolumeNodeResources: count:i@1*
StorageClass: allowVolumeExpansion:b@6* allowedTopologies:[TopologySelectorTerm]@8
  metadata:ObjectMeta@1 mountOptions:[s]@5 parameters:{s}@3 provisioner@2 reclaimPolicy@4*
  volumeBindingMode@7*
VolumeAttachment: metadata:ObjectMeta@1 spec:VolumeAttachmentSpec@2
  status:VolumeAttachmentStatus@3
VolumeAttachmentSpec: attacher@1 nodeName@3 source:VolumeAttachmentSource@2
VolumeAttachmentSource: inlineVolumeSpec:PersistentVolumeSpec@2* persistentVolumeName@1*
VolumeAttachmentStatus: attachError:VolumeError@3* attached:b@1 attachmentMetadata:{s}@2
  detachError:VolumeError@4*
VolumeError: errorCode:i@3* message@2 time:t@1
EndpointSlice: addressType@4 endpoints:[Endpoint]@2 metadata:ObjectMeta@1
  ports:[EndpointSlicePort]@3
Endpoint: addresses:[s]+@1 conditions:EndpointConditions@2 deprecatedTopology:{s}@5
  hints:EndpointHints@8* hostname@3* nodeName@6* targetRef:ObjectReference@4* zone@7*
EndpointConditions: ready:b@1* serving:b@2* terminating:b@3*
EndpointHints: forNodes:[ForNode]@2 forZones:[ForZone]@1
ForNode: name@1
ForZone: name@1
EndpointSlicePort!: appProtocol@4* name@1* port:i@3* protocol@2*
Ingress: metadata:ObjectMeta@1 spec:IngressSpec@2 status:IngressStatus@3
IngressSpec: defaultBackend:IngressBackend@1* ingressClassName@4* rules:[IngressRule]@3
  tls:[IngressTLS]@2
IngressBackend: resource:TypedLocalObjectReference@3* service:IngressServiceBackend@4*
IngressServiceBackend: name@1 port:ServiceBackendPort@2
ServiceBackendPort!: name@1 number:i@2
IngressRule: host@1 http:HTTPIngressRuleValue@2.1*
HTTPIngressRuleValue: paths:[HTTPIngressPath]@1
HTTPIngressPath: backend:IngressBackend@2 path@1 pathType@3*
IngressTLS: hosts:[s]@1 secretName@2
IngressStatus: loadBalancer:IngressLoadBalancerStatus@1
IngressLoadBalancerStatus: ingress:[IngressLoadBalancerIngress]@1
IngressLoadBalancerIngress: hostname@2 ip@1 ports:[IngressPortStatus]@4
IngressPortStatus: error@3* port:i@1 protocol@2
NetworkPolicy: metadata:ObjectMeta@1 spec:NetworkPolicySpec@2
NetworkPolicySpec: egress:[NetworkPolicyEgressRule]@3 ingress:[NetworkPolicyIngressRule]@2
  podSelector:LabelSelector@1 policyTypes:[s]@4
NetworkPolicyEgressRule: ports:[NetworkPolicyPort]@1 to:[NetworkPolicyPeer]@2
NetworkPolicyPort: endPort:i@3* port:x@2* protocol@1*
NetworkPolicyPeer: ipBlock:IPBlock@3* namespaceSelector:LabelSelector@2*
  podSelector:LabelSelector@1*
IPBlock: cidr@1 except:[s]@2
NetworkPolicyIngressRule: from:[NetworkPolicyPeer]@2 ports:[NetworkPolicyPort]@1
RuntimeClass: handler@2 metadata:ObjectMeta@1 overhead:Overhead@3* scheduling:Scheduling@4*
Overhead: podFixed:{q}@1
Scheduling: nodeSelector:{s}!@1 tolerations:[Toleration]@2
ClusterRole: aggregationRule:AggregationRule@3* metadata:ObjectMeta@1 rules:[PolicyRule]@2
AggregationRule: clusterRoleSelectors:[LabelSelector]@1
PolicyRule: apiGroups:[s]@2 nonResourceURLs:[s]@5 resourceNames:[s]@4 resources:[s]@3 verbs:[s]@1
ClusterRoleBinding: metadata:ObjectMeta@1 roleRef:RoleRef@3 subjects:[Subject]@2
RoleRef!: apiGroup@1 kind@2 name@3
Subject!: apiGroup@2 kind@1 name@3 namespace@4
Role: metadata:ObjectMeta@1 rules:[PolicyRule]@2
RoleBinding: metadata:ObjectMeta@1 roleRef:RoleRef@3 subjects:[Subject]@2
SelfSubjectAccessReview: metadata:ObjectMeta@1 spec:SelfSubjectAccessReviewSpec@2
  status:SubjectAccessReviewStatus@3
SelfSubjectAccessReviewSpec: nonResourceAttributes:NonResourceAttributes@2*
  resourceAttributes:ResourceAttributes@1*
NonResourceAttributes: path@1 verb@2
ResourceAttributes: fieldSelector:FieldSelectorAttributes@8* group@3
  labelSelector:LabelSelectorAttributes@9* name@7 namespace@1 resource@5 subresource@6 verb@2
  version@4
FieldSelectorAttributes: rawSelector@1 requirements:[FieldSelectorRequirement]@2
LabelSelectorAttributes: rawSelector@1 requirements:[LabelSelectorRequirement]@2
SubjectAccessReviewStatus: allowed:b@1 denied:b@4 evaluationError@3 reason@2
SelfSubjectRulesReview: metadata:ObjectMeta@1 spec:SelfSubjectRulesReviewSpec@2
  status:SubjectRulesReviewStatus@3
SelfSubjectRulesReviewSpec: namespace@1
SubjectRulesReviewStatus: evaluationError@4 incomplete:b@3 nonResourceRules:[NonResourceRule]@2
  resourceRules:[ResourceRule]@1
NonResourceRule: nonResourceURLs:[s]@2 verbs:[s]@1
ResourceRule: apiGroups:[s]@2 resourceNames:[s]@4 resources:[s]@3 verbs:[s]@1
SubjectAccessReview: metadata:ObjectMeta@1 spec:SubjectAccessReviewSpec@2
  status:SubjectAccessReviewStatus@3
SubjectAccessReviewSpec: extra:{[s]}@5 groups:[s]@4 nonResourceAttributes:NonResourceAttributes@2*
  resourceAttributes:ResourceAttributes@1* uid@6 user@3
TokenRequestReview: metadata:ObjectMeta@1 spec:TokenRequestReviewSpec@2
TokenRequestReviewSpec: audiences:[s]@1 boundObjectRef:BoundObjectReference@3* expirationSeconds:i@4*
BoundObjectReference: apiVersion@2 kind@1 name@3 uid@4
MutatingWebhookConfiguration: metadata:ObjectMeta@1 webhooks:[MutatingWebhook]=name~@2
MutatingWebhook: admissionReviewVersions:[s]@8 clientConfig:WebhookClientConfig@2 failurePolicy@4*
  matchConditions:[MatchCondition]=name~@12 matchPolicy@9* name@1
  namespaceSelector:LabelSelector@5* objectSelector:LabelSelector@11* reinvocationPolicy@10*
  rules:[RuleWithOperations]@3 sideEffects@6* timeoutSeconds:i@7*
WebhookClientConfig: caBundle:y@2 service:ServiceReference@1* url@3*
ServiceReference: name@2 namespace@1 path@3* port:i@4*
MatchCondition: expression@2 name@1
RuleWithOperations: apiGroups:[s]@2.1 apiVersions:[s]@2.2 operations:[s]@1 resources:[s]@2.3
  scope@2.4*
ValidatingWebhookConfiguration: metadata:ObjectMeta@1 webhooks:[ValidatingWebhook]=name~@2
ValidatingWebhook: admissionReviewVersions:[s]@8 clientConfig:WebhookClientConfig@2
  failurePolicy@4* matchConditions:[MatchCondition]=name~@11 matchPolicy@9* name@1
  namespaceSelector:LabelSelector@5* objectSelector:LabelSelector@10* rules:[RuleWithOperations]@3
  sideEffects@6* timeoutSeconds:i@7*
CustomResourceDefinition: metadata:ObjectMeta spec:CustomResourceDefinitionSpec
  status:CustomResourceDefinitionStatus
CustomResourceDefinitionSpec: conversion:CustomResourceConversion group
  names:CustomResourceDefinitionNames preserveUnknownFields:b scope
  versions:[CustomResourceDefinitionVersion]
CustomResourceConversion: strategy webhook:WebhookConversion
WebhookConversion: clientConfig:ConversionWebhookClientConfig conversionReviewVersions:[s]
ConversionWebhookClientConfig: caBundle:y service:ConversionServiceReference url
ConversionServiceReference: name namespace path port:i
CustomResourceDefinitionNames: categories:[s] kind listKind plural shortNames:[s] singular
CustomResourceDefinitionVersion: additionalPrinterColumns:[CustomResourceColumnDefinition]
  deprecated:b deprecationWarning name schema:CustomResourceValidation
  selectableFields:[SelectableField] served:b storage:b subresources:CustomResourceSubresources
CustomResourceColumnDefinition: description format jsonPath name priority:i type
CustomResourceValidation: openAPIV3Schema:j
ExternalDocumentation: description url
ValidationRule: fieldPath message messageExpression optionalOldSelf:b reason rule
SelectableField: jsonPath
CustomResourceSubresources: scale:CustomResourceSubresourceScale status:j
CustomResourceSubresourceScale: labelSelectorPath specReplicasPath statusReplicasPath
CustomResourceDefinitionStatus: acceptedNames:CustomResourceDefinitionNames
  conditions:[CustomResourceDefinitionCondition]=type observedGeneration:i storedVersions:[s]
CustomResourceDefinitionCondition: lastTransitionTime:t message observedGeneration:i reason status
  type
`;
